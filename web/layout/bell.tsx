import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { countUnreadNotifications } from '../../contract/notifications/count.ts'
import { call } from '../api/client.ts'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { BellIcon } from '../ui/icons.tsx'
import { useLazyPart } from '../ui/use-lazy-part.ts'
import styles from './bell.module.css'
import { refreshLive } from './refresh-live.ts'
import { cachedUnread, cacheUnread } from './unread-cache.ts'
import { useNetworkIdle } from './use-network-idle.ts'

/** Loads the code of the panel with the latest notifications. */
const loadPanel = () => import('../screens/notifications/bell-panel.tsx')
/** Starts loading the panel when the pointer or the focus reaches the bell. Ignores a failure. */
const preload = () => void loadPanel().catch(() => {})

/** Largest number on the bell. Above it the bell shows `99+`. */
const MOST = 99

/**
 * Options of the query for the number of unread notifications. A failure is not shown here, because the list behind the
 * bell shows the reason.
 */
const unread = {
  queryKey: [countUnreadNotifications.path, {}],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(countUnreadNotifications, {}, { signal, inline: 'everything' }),
  retry: false,
  // The number on the previous page, so that it does not disappear while the page loads (rules/notifications#bell).
  placeholderData: () => ({ unreadCount: cachedUnread() }),
  meta: { isLive: true },
}

/**
 * Shows the button of the notifications (rules/notifications#bell) with the number of unread ones, and on a click the
 * latest ones in a panel. The number follows the event stream and is stored in this browser for the next page.
 * @param isReady true once the page's own calls, which have priority, have their results. Only then does the bell make
 * its calls
 */
export function Bell({ isReady }: { isReady: boolean }) {
  const t = usePortalMessages().frame.bell
  const { data, isPlaceholderData } = useQuery({ ...unread, enabled: useNetworkIdle(isReady) })
  const { opened, open, forget, close } = useLazyPart(loadPanel)
  const button = useRef<HTMLButtonElement>(null)
  useLive(isReady)
  const count = data?.unreadCount ?? 0
  useEffect(() => {
    if (data !== undefined && !isPlaceholderData) cacheUnread(data.unreadCount)
  }, [data, isPlaceholderData])
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

/**
 * Follows the event stream once `isReady`, and refreshes the live results (`refreshLive`) after each event. Stops on
 * unmount.
 */
function useLive(isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return
    let stop: (() => void) | undefined
    let isGone = false
    void import('./deferred/watch-notifications.ts').then(
      ({ watchNotifications }) => {
        if (!isGone) stop = watchNotifications(refreshLive)
      },
      // Without it the number is that of the page's beginning.
      () => {},
    )
    return () => {
      isGone = true
      stop?.()
    }
  }, [isReady])
}
