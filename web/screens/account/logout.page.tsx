import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { usePortalMessages } from '../../language.tsx'
import { LOG_OUT } from '../../routes/return-to.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import styles from './password.module.css'

/**
 * The page /logout (rules/account#logout): asks before it logs out, because a link may have opened it. One button logs
 * out on this device, the other opens /main.
 */
export default function Logout() {
  const { account, titles } = usePortalMessages()
  const router = useRouter()
  const stay = useRef<HTMLButtonElement>(null)
  // The keyboard begins with the choice that ends nothing.
  useEffect(() => stay.current?.focus(), [])
  return (
    <div className={classes(styles.screen, styles.narrow)}>
      <h1>{titles.logout}</h1>
      <p className={styles.lead}>{account.logoutLead}</p>
      <div className={layout.row}>
        <Button variant="primary" onClick={() => void router.navigate({ ...LOG_OUT, replace: true })}>
          {account.logout}
        </Button>
        <Button ref={stay} onClick={() => void router.navigate({ to: '/main', replace: true })}>
          {account.stayLoggedIn}
        </Button>
      </div>
    </div>
  )
}
