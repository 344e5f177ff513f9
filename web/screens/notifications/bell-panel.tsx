import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, type RefObject } from 'react'
import { listNotifications, NOTIFICATIONS_IN_BELL } from '../../../contract/notifications.ts'
import { query } from '../../api/query.ts'
import { LoadFailed } from '../../forms/load-error.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import { PopoverPanel } from '../../ui/popover-panel.tsx'
import styles from './bell-panel.module.css'
import { describe, markAllRead, markRead, useNotificationTexts } from './notifications.ts'

/** The button of the panel. */
interface Props {
  anchor: RefObject<HTMLElement | null>
  onClose: () => void
}

/**
 * Shows the latest notifications in a panel under the bell, with a button that marks all as read
 * (rules/notifications#bell). A click on one marks it as read, closes the panel and opens its page. Follows the event
 * stream. Keeps its size while they load.
 */
export function BellPanel({ anchor, onClose }: Props) {
  const t = useNotificationTexts()
  const list = useQuery({
    ...query(listNotifications, { perPage: NOTIFICATIONS_IN_BELL }),
    meta: { isLive: true },
  })
  const heading = useRef<HTMLHeadingElement>(null)
  const { notifications = [], unreadCount = 0 } = list.data ?? {}

  /** Marks all notifications as read. */
  async function readAll() {
    // The button is out of use now and would drop the focus.
    heading.current?.focus()
    await markAllRead()
  }

  return (
    <PopoverPanel anchor={anchor} label={t.heading} onClose={onClose}>
      <div className={styles.head}>
        <h2 ref={heading} tabIndex={-1} className={styles.heading}>
          {t.heading}
        </h2>
        <Button size="small" isDisabled={unreadCount === 0} onClick={() => void readAll()}>
          {t.readAll}
        </Button>
      </div>
      <div className={styles.held} aria-busy={list.isPending}>
        {list.data === undefined ? (
          list.isError ? (
            <LoadFailed query={list} message={t.failed} />
          ) : (
            <p className={layout.quiet}>{t.loading}</p>
          )
        ) : notifications.length === 0 ? (
          <p className={layout.quiet}>{t.empty}</p>
        ) : (
          <ul className={styles.list}>
            {notifications.map((one) => {
              const { words, detail, target } = describe(one, t)
              return (
                <li key={one.notificationId}>
                  <Link
                    {...target}
                    className={classes(styles.item, !one.read && styles.unread)}
                    onClick={() => {
                      if (!one.read) void markRead(one.notificationId)
                      onClose()
                    }}
                  >
                    <span className={styles.words}>
                      {!one.read && <span className="visually-hidden">{t.unreadMark} </span>}
                      {words}
                    </span>
                    {detail !== '' && <span className={styles.detail}>{detail}</span>}
                    <time className={layout.hint}>{one.createdAt.slice(0, 16)}</time>
                  </Link>
                </li>
              )
            })}
          </ul>
        )}
      </div>
      <Link className={styles.all} to="/notification/search" onClick={onClose}>
        {t.all}
      </Link>
    </PopoverPanel>
  )
}
