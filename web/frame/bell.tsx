import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { countUnreadNotifications } from '../../contract/notifications/count.ts'
import { call } from '../api/client.ts'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { BellIcon } from '../ui/icons.tsx'
import { useLatePart } from '../ui/use-late-part.ts'
import styles from './bell.module.css'
import { useNetworkIdle } from './use-network-idle.ts'

const loadPanel = () => import('../screens/notifications/bell-panel.tsx')
const preload = () => void loadPanel().catch(() => {})

/** More are not counted on so small a place. */
const MOST = 99

/** The number of unread notifications. A failure is not shown here, because the list behind the bell shows the reason. */
const unread = {
  queryKey: [countUnreadNotifications.path, {}],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(countUnreadNotifications, {}, { signal, inline: 'everything' }),
  retry: false,
} as const

/**
 * Shows the user's notifications (rules/notifications#bell): the number of unread ones, which updates by itself, and the latest
 * ones in a panel.
 * @param isReady whether the page's own calls, which have priority, have their results
 */
export function Bell({ isReady: isAnswered }: { isReady: boolean }) {
  const isReady = useNetworkIdle(isAnswered)

  const t = usePortalMessages().frame.bell
  const { data } = useQuery({ ...unread, enabled: isReady })
  const { opened, open, forget, close } = useLatePart(loadPanel)
  const button = useRef<HTMLButtonElement>(null)
  useLive(isReady)
  const count = data?.unreadCount ?? 0
  const label = count === 0 ? t.label : t.unread(count.toLocaleString())
  return (
    <div className={styles.place}>
      <Button
        ref={button}
        variant="quiet"
        size="small"
        isIcon
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={opened !== undefined}
        onPointerEnter={preload}
        onFocus={preload}
        onBlur={forget}
        onClick={opened === undefined ? open : close}
      >
        <BellIcon />
      </Button>
      {count > 0 && (
        <span className={styles.count} aria-hidden="true">
          {count > MOST ? `${MOST}+` : count}
        </span>
      )}
      <output className="visually-hidden">{count > 0 && label}</output>
      {opened !== undefined && <opened.BellPanel anchor={button} onClose={close} />}
    </div>
  )
}

/** Asks for the number, and for a list that is shown, whenever there is something new. */
function useLive(isReady: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isReady) return
    let stop: (() => void) | undefined
    let isGone = false
    void import('./late/watch-notifications.ts').then(
      ({ watchNotifications }) => {
        if (!isGone) stop = watchNotifications(() => void client.invalidateQueries({ predicate: isOurs }))
      },
      // Without it the number is that of the page's beginning.
      () => {},
    )
    return () => {
      isGone = true
      stop?.()
    }
  }, [isReady, client])
}

const isOurs = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  String(queryKey[0]).startsWith('/ntf/v1/get/')
