import { useMessages } from '../language.tsx'
import styles from './header.module.css'
import { Preferences } from './preferences.tsx'
import { usePortalNames } from './portal-names.ts'

/** Shows the header of the screens before a session: the logo, language and theme. */
export function SlimHeader() {
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Logo href="/" />
        <div className={styles.tools}>
          <Preferences />
        </div>
      </div>
    </header>
  )
}

/**
 * Shows the logo and name of the portal, as a link (rules/settings#logo). Without a logo of the company it shows that
 * of the product.
 */
export function Logo({ href }: { href: string }) {
  const t = useMessages().frame
  const { logoText, logo } = usePortalNames()
  const text = logoText || t.productName
  return (
    <a className={styles.logo} href={href} aria-label={`${text} ${t.toMain}`}>
      {logo === undefined ? (
        <svg aria-hidden="true" width="30" height="30" viewBox="0 0 32 32">
          <rect className={styles.mark} width="32" height="32" rx="7" />
          <path d="M6 23V10l5 6 5-6 5 6 5-6v13" />
        </svg>
      ) : (
        <img className={styles.image} src={logo} alt="" width="30" height="30" />
      )}
      <span className={styles.logoText}>{text}</span>
    </a>
  )
}
