import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { usePortalMessages } from '../language.tsx'
import { LOG_OUT, LOG_OUT_EVERYWHERE } from '../routes/return-to.ts'
import { LogoutIcon, UserIcon } from '../ui/icons.tsx'
import styles from './user-menu-links.module.css'

/**
 * Shows the links of the user's menu: to the own page (first), the children, and the logouts (last) from this or from
 * all devices (rules/frame#header).
 */
export function OwnLinks({ children }: { children?: ReactNode }) {
  const t = usePortalMessages().frame
  const router = useRouter()
  const navigateTo = (target: typeof LOG_OUT | typeof LOG_OUT_EVERYWHERE) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate(target)
  }
  return (
    <>
      <a className={styles.link} href="/mypage">
        <UserIcon size={18} />
        {t.myInfo}
      </a>
      {children}
      <a className={styles.link} href="/logout" onClick={navigateTo(LOG_OUT)}>
        <LogoutIcon size={18} />
        {t.logout}
      </a>
      <a className={styles.link} href="/logout" onClick={navigateTo(LOG_OUT_EVERYWHERE)}>
        <LogoutIcon size={18} />
        {t.logoutEverywhere}
      </a>
    </>
  )
}
