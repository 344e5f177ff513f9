import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { listNotifications, NOTIFICATIONS_PER_PAGE } from '../../../contract/notifications.ts'
import { query } from '../../api/query.ts'
import { usePortalMessages } from '../../language.tsx'
import { ListResults } from '../../lists/list-results.tsx'
import { defineList } from '../../lists/use-list.ts'
import { useHref } from '../../routes/use-href.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import layout from '../../ui/layout.module.css'
import { describe, type Notification, markAllRead, markRead, useNotificationTexts } from './notifications.ts'

/** The list of the user's notifications: its URL and its query, which follows the event stream. */
const own = defineList({
  path: '/notification/search',
  filters: { unreadOnly: 'N' },
  perPage: NOTIFICATIONS_PER_PAGE,
  query: ({ filters, page }, perPage) => ({
    ...query(listNotifications, { unreadOnly: filters.unreadOnly === 'Y', page, perPage }),
    meta: { isLive: true },
  }),
})

/** Prefetches the page of the list that the URL names. */
export const { load } = own

/**
 * The page /notification/search (rules/notifications#notification-page): the user's notifications, all or only unread
 * ones, with buttons that mark one or all as read. A row marks it as read and opens its page.
 */
export default function Notifications() {
  const { titles } = usePortalMessages()
  const t = useNotificationTexts()
  const navigate = useNavigate()
  const href = useHref()
  const list = own.useList()
  const page = own.usePage(list)
  const { notifications = [], unreadCount = 0 } = page.data ?? {}
  const place = useRef<HTMLDivElement>(null)
  const isFiltered = list.filters.unreadOnly === 'Y'
  // Ticked at once; the address, which comes a moment later, decides.
  const [ticked, setTicked] = useState({ at: isFiltered, to: isFiltered })

  /** Marks a notification as read and opens its page. */
  function open(one: Notification) {
    if (!one.read) void markRead(one.notificationId)
    void navigate(describe(one, t).target)
  }

  const columns = [
    {
      key: 'what',
      header: t.columns.what,
      isRowHeader: true,
      render: (one: Notification) => {
        const { words, detail } = describe(one, t)
        return [words, detail].filter(Boolean).join(' ')
      },
    },
    { key: 'when', header: t.columns.when, width: 180, render: ({ createdAt }: Notification) => createdAt },
    {
      key: 'state',
      header: t.columns.state,
      width: 130,
      align: 'center',
      render: ({ read }: Notification) => (
        <Badge tone={read ? 'neutral' : 'positive'}>{read ? t.readMark : t.unreadMark}</Badge>
      ),
    },
    {
      key: 'mark',
      header: t.read,
      width: 140,
      align: 'center',
      render: (one: Notification) =>
        !one.read && (
          <Button
            size="small"
            aria-label={t.markOne(describe(one, t).words)}
            onClick={() => {
              // The button goes, and would take the focus along.
              place.current?.focus()
              void markRead(one.notificationId)
            }}
          >
            {t.read}
          </Button>
        ),
    },
  ] as const

  return (
    <Page
      title={titles.notifications}
      actions={<Link to="/notification/setting">{titles.notificationSetting}</Link>}
    >
      <div ref={place} tabIndex={-1} className={layout.stack}>
        <ListResults
          page={page}
          texts={{ ...t, empty: isFiltered ? t.noneUnread : t.empty }}
          columns={columns}
          rows={notifications}
          getRowKey={(one) => one.notificationId}
          onRowAction={open}
          rowHref={(one) => href(describe(one, t).target)}
        >
          <Checkbox
            label={t.unreadOnly}
            value={ticked.at === isFiltered ? ticked.to : isFiltered}
            onChange={(only) => {
              setTicked({ at: isFiltered, to: only })
              list.search({ unreadOnly: only ? 'Y' : 'N' })
            }}
          />
          <Button
            isDisabled={unreadCount === 0}
            onClick={() => {
              place.current?.focus()
              void markAllRead()
            }}
          >
            {t.readAll}
          </Button>
        </ListResults>
      </div>
    </Page>
  )
}
