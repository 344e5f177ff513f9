import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { usePortalMessages } from '../language.tsx'
import { LOG_OUT } from '../routes/return-to.ts'
import { LogoutIcon, UserIcon } from '../ui/icons.tsx'
import styles from './own-links.module.css'

/** Links to the user's own page (first) and the logout (last), with the children in between (rules/frame#header). */
export function OwnLinks({ children }: { children?: ReactNode }) {
  const t = usePortalMessages().frame
  const router = useRouter()
  function logOut(event: MouseEvent): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate(LOG_OUT)
  }
  return (
    <>
      <a className={styles.link} href="/mypage">
        <UserIcon size={18} />
        {t.myInfo}
      </a>
      {children}
      <a className={styles.link} href="/logout" onClick={logOut}>
        <LogoutIcon size={18} />
        {t.logout}
      </a>
    </>
  )
}
