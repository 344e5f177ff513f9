import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { getToDo } from '../../../contract/home.ts'
import { VALIDITY } from '../../../contract/users.ts'
import { query } from '../../api/query.ts'
import { LoadFailed } from '../../forms/load-error.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import {
  CalendarIcon,
  CheckCircleIcon,
  ExclamationIcon,
  KeyIcon,
  SearchIcon,
  UserIcon,
} from '../../ui/icons.tsx'
import { useHomeTexts } from './home-texts.ts'
import { newestNotices } from './load-home.ts'
import layout from '../../ui/layout.module.css'
import panel from './notice-panel.module.css'
import styles from './to-do.module.css'

/** A row of a card on the home page: the icon on the left, then the text. */
const line = classes(panel.slot, styles.item)

/** Open tasks of the user, as the server returns them. */
type ToDo = OutputOf<typeof getToDo>

/** Reads the user's open tasks and latest keys, after the notices, which have priority. Follows the event stream. */
export function useToDo() {
  const notices = useQuery(newestNotices)
  return useQuery({ ...query(getToDo, {}), meta: { isLive: true }, enabled: !notices.isPending })
}

/**
 * Shows the user's open tasks, each with a link to its page (rules/home#to-do); without any, a text that says so. Has
 * its final height while loading.
 */
export function ToDoCard({ toDo }: { toDo: ReturnType<typeof useToDo> }) {
  const t = useHomeTexts().toDo
  return (
    <Card title={t.heading}>
      <div className={styles.held} aria-busy={toDo.isPending}>
        {toDo.data !== undefined ? (
          <ToDoList toDo={toDo.data} />
        ) : toDo.isError ? (
          <LoadFailed query={toDo} message={t.failed} />
        ) : (
          <p className={layout.quiet}>{t.loading}</p>
        )}
      </div>
    </Card>
  )
}

/** Page of a task with its query parameters. */
type Target = Pick<LinkProps, 'to' | 'search'>

/** User search for accounts whose validity period ends soon. */
const ENDING: Target = { to: '/user/search', search: { validity: VALIDITY.ending } }
/** Partner search for partners near a limit. */
const NEAR_LIMIT: Target = { to: '/partner/search', search: { nearLimit: 'Y' } }

/** A task that is shown with its count: undefined without the permission. */
type CountedItem = [
  count: number | undefined,
  countText: (count: string) => string,
  Icon: typeof UserIcon,
  words: string,
  to: Target,
]

/** Shows the required notices to confirm, then the counts of other tasks, and the end of the user's own account. */
function ToDoList({ toDo }: { toDo: ToDo }) {
  const { notices } = usePortalMessages()
  const t = useHomeTexts().toDo
  const { unconfirmed, unconfirmedCount, ownEnd, requestCount } = toDo
  const counted: CountedItem[] = [
    [toDo.factorResetCount, t.cases, UserIcon, t.factorResets, { to: '/notification/search' }],
    [toDo.endingCount, t.accounts, CalendarIcon, t.ending, ENDING],
    [toDo.nearLimitCount, t.cases, KeyIcon, t.nearLimit, NEAR_LIMIT],
    [toDo.inspectionCount, t.months, SearchIcon, t.inspections, { to: '/access/inspection' }],
    [toDo.reviewCount, t.quarters, UserIcon, t.reviews, { to: '/right/review' }],
  ]
  const unseen = unconfirmedCount - unconfirmed.length
  const isNothing =
    unconfirmedCount === 0 &&
    ownEnd === undefined &&
    !requestCount &&
    counted.every(([count = 0]) => count === 0)
  return (
    <>
      {isNothing && (
        <p className={line}>
          <CheckCircleIcon />
          {t.nothing}
        </p>
      )}
      {(!isNothing || requestCount !== undefined) && (
        <ul className={styles.area}>
          {unconfirmed.map(({ noticeId, title, userId, registeredAt }) => (
            <Item
              key={noticeId}
              icon={<ExclamationIcon />}
              to={{ to: '/notice/detail', search: { noticeId, user_id: userId } }}
              words={title}
              detail={registeredAt.slice(0, 10)}
              count={notices.marks.mustRead}
            />
          ))}
          {unseen > 0 && (
            <li className={classes(layout.hint, styles.more)}>{t.moreToRead(unseen.toLocaleString())}</li>
          )}
          {/* A user who decides requests also sees that there are none (rules/home#waiting-count). */}
          {requestCount !== undefined && (
            <Item
              icon={<UserIcon />}
              to={{ to: '/user/approval' }}
              words={t.requests}
              count={t.cases(requestCount.toLocaleString())}
              isQuiet={requestCount === 0}
            />
          )}
          {counted.map(
            ([count = 0, countText, Icon, words, to]) =>
              count > 0 && (
                <Item
                  key={words}
                  icon={<Icon />}
                  to={to}
                  words={words}
                  count={countText(count.toLocaleString())}
                />
              ),
          )}
          {ownEnd !== undefined && (
            <Item
              icon={<CalendarIcon />}
              words={t.ownEnd}
              detail={
                ownEnd.daysLeft <= 0 ? t.lastDay(ownEnd.validTo) : t.daysLeft(ownEnd.validTo, ownEnd.daysLeft)
              }
            />
          )}
        </ul>
      )}
    </>
  )
}

/** A row of the list. */
interface ItemProps {
  icon: ReactNode
  /** The page of the task; undefined if the row is only information. */
  to?: Target
  words: string
  detail?: string
  count?: string
  /** True if nothing is open. */
  isQuiet?: boolean
}

/** Shows a task in a row, which is a link if it has a page. */
function Item({ icon, to, words, detail, count, isQuiet = false }: ItemProps) {
  const content = (
    <>
      <span className={panel.bullet} aria-hidden="true">
        {icon}
      </span>
      <div className={panel.words}>
        <strong className={panel.title} title={words}>
          <span className={layout.ellipsis}>{words}</span>
        </strong>
        {detail !== undefined && <span className={layout.hint}>{detail}</span>}
      </div>
      {count !== undefined && <Badge tone={isQuiet ? 'neutral' : 'warning'}>{count}</Badge>}
    </>
  )
  return (
    <li>
      {to === undefined ? (
        <div className={line}>{content}</div>
      ) : (
        <Link className={line} {...to}>
          {content}
        </Link>
      )}
    </li>
  )
}
