import type { ReactNode } from 'react'
import { usePortalNames } from '../../frame/portal-names.ts'
import { useMessages } from '../../language.tsx'
import { Building } from '../common/building.tsx'
import styles from './account-card.module.css'

interface Props {
  heading: string
  lead: string
  children: ReactNode
}

/** The card of the small screens before a session: the building at the left, the form at the right. */
export function AccountCard({ heading, lead, children }: Props) {
  const messages = useMessages()
  const { logoText } = usePortalNames()
  return (
    <div className={styles.screen}>
      <div className={`${styles.card} ${styles.pictured}`}>
        <div className={styles.picture} aria-hidden="true">
          <div className={styles.brand}>
            <strong>{logoText || messages.frame.productName}</strong>
            <span>{messages.frame.productLine}</span>
          </div>
          <Building label={messages.frame.building} />
        </div>
        <div className={styles.body}>
          <h1>{heading}</h1>
          <p className={styles.lead}>{lead}</p>
          {children}
        </div>
      </div>
    </div>
  )
}

/** Where else a person may want to go from a screen before a session. */
export function AccountLinks({ links }: { links: readonly { href: string; text: string }[] }) {
  const t = useMessages().account
  return (
    <nav className={styles.links} aria-label={t.accountLinks}>
      {links.map(({ href, text }) => (
        <a key={href} href={href}>
          {text}
        </a>
      ))}
    </nav>
  )
}
