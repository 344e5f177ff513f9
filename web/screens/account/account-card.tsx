import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePortalNames } from '../../layout/portal-names.ts'
import { useMessages } from '../../language.tsx'
import { Building } from '../common/building-illustration.tsx'
import styles from './account-card.module.css'

interface Props {
  heading: string
  lead: string
  children: ReactNode
}

/**
 * Shows the card of a small page before login: a drawing of a building on the left; heading, lead and form on the
 * right.
 */
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

/** A link to another page before login. */
export interface AccountLink {
  href: '/login' | '/find/id' | '/reset/pw' | '/signup'
  text: string
}

/**
 * Shows links from a page before login to related pages, and passes them the ID typed here, with which their field
 * starts (rules/account#typed-id).
 */
export function AccountLinks({ links, typedId = '' }: { links: readonly AccountLink[]; typedId?: string }) {
  const t = useMessages().account
  return (
    <nav className={styles.links} aria-label={t.accountLinks}>
      {links.map(({ href, text }) => (
        <Link key={href} to={href} state={typedId === '' ? {} : { typedId }}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
