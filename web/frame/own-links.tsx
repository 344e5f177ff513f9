import type { ReactNode } from 'react'
import { usePortalMessages } from '../language.tsx'
import { LogoutIcon, UserIcon } from '../ui/icons.tsx'
import styles from './own-links.module.css'

/** One's own page first and the logout last (rules/frame#header), with what stands between. */
export function OwnLinks({ children }: { children?: ReactNode }) {
  const t = usePortalMessages().frame
  return (
    <>
      <a className={styles.link} href="/mypage">
        <UserIcon size={18} />
        {t.myInfo}
      </a>
      {children}
      <a className={styles.link} href="/logout">
        <LogoutIcon size={18} />
        {t.logout}
      </a>
    </>
  )
}
