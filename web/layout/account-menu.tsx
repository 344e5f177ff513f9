import type { RefObject } from 'react'
import { usePortalMessages } from '../language.tsx'
import { BellIcon, ChevronDownIcon } from '../ui/icons.tsx'
import styles from './account-menu.module.css'
import { Avatar } from './avatar.tsx'
import { OwnLinks } from './user-menu-links.tsx'
import linkStyles from './user-menu-links.module.css'
import { Preferences } from './preferences.tsx'

const ID = 'account-menu'

interface Props {
  name: string
  userId: string
  /** Name of the user's role; undefined until it is loaded. */
  groupLabel: string | undefined
  isOpen: boolean
  onToggle: () => void
  /** The element to which the menu is attached. */
  ref: RefObject<HTMLDivElement | null>
  button: RefObject<HTMLButtonElement | null>
}

/**
 * Shows the avatar, which links to /mypage, and the button next to it, which opens the user's menu
 * (rules/frame#own-menu): name, role and login ID, language and theme, links to the own page and the notifications, and
 * the logouts.
 */
export function AccountMenu({ name, userId, groupLabel, isOpen, onToggle, ref, button }: Props) {
  const t = usePortalMessages().frame
  return (
    <div ref={ref} className={styles.account}>
      <a className={styles.me} href="/mypage" title={t.myInfo}>
        <Avatar name={name} />
        <span className={styles.name}>{name}</span> <span className="visually-hidden">{t.myInfo}</span>
      </a>
      <button
        ref={button}
        type="button"
        className={styles.open}
        aria-label={t.accountMenu}
        title={t.accountMenu}
        aria-expanded={isOpen}
        aria-controls={isOpen ? ID : undefined}
        onClick={onToggle}
      >
        <ChevronDownIcon size={16} />
      </button>
      {isOpen && (
        <section id={ID} className={styles.menu} aria-label={t.accountMenu}>
          <p>
            <strong>{t.signedInAs(name)}</strong>
            <span>{[groupLabel, userId].filter(Boolean).join(' · ')}</span>
          </p>
          <OwnLinks>
            <Preferences isList />
            <a className={linkStyles.link} href="/notification/search">
              <BellIcon size={18} />
              {t.bell.label}
            </a>
          </OwnLinks>
        </section>
      )}
    </div>
  )
}
