import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { getToDo } from '../../../contract/home.ts'
import { VALIDITY } from '../../../contract/users.ts'
import { query } from '../../api/query.ts'
import { LoadFailed } from '../../forms/load-failed.tsx'
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

type ToDo = OutputOf<typeof getToDo>

/** Reads the user's open tasks after the notices, which have priority. */
export function useToDo() {
  const notices = useQuery(newestNotices)
  return useQuery({ ...query(getToDo, {}), enabled: !notices.isPending })
}

/** Shows the user's open tasks, each with a link to its page (rules/home#to-do). Has its final height while loading. */
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

function ToDoList({ toDo }: { toDo: ToDo }) {
  const { notices } = usePortalMessages()
  const t = useHomeTexts().toDo
  const { unconfirmed, unconfirmedCount, ownEnd, requestCount } = toDo
  const {
    factorResetCount = 0,
    endingCount = 0,
    nearLimitCount = 0,
    inspectionCount = 0,
    reviewCount = 0,
  } = toDo
  const unseen = unconfirmedCount - unconfirmed.length
  const isNothing =
    unconfirmedCount === 0 &&
    ownEnd === undefined &&
    [requestCount ?? 0, factorResetCount, endingCount, nearLimitCount, inspectionCount, reviewCount].every(
      (count) => count === 0,
    )
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
          {unseen > 0 && <li className={layout.hint}>{t.moreToRead(unseen.toLocaleString())}</li>}
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
          {factorResetCount > 0 && (
            <Item
              icon={<UserIcon />}
              to={{ to: '/notification/search' }}
              words={t.factorResets}
              count={t.cases(factorResetCount.toLocaleString())}
            />
          )}
          {endingCount > 0 && (
            <Item
              icon={<CalendarIcon />}
              to={{ to: '/user/search', search: { validity: VALIDITY.ending } }}
              words={t.ending}
              count={t.accounts(endingCount.toLocaleString())}
            />
          )}
          {nearLimitCount > 0 && (
            <Item
              icon={<KeyIcon />}
              to={{ to: '/partner/search', search: { nearLimit: 'Y' } }}
              words={t.nearLimit}
              count={t.cases(nearLimitCount.toLocaleString())}
            />
          )}
          {inspectionCount > 0 && (
            <Item
              icon={<SearchIcon />}
              to={{ to: '/access/inspection' }}
              words={t.inspections}
              count={t.months(inspectionCount.toLocaleString())}
            />
          )}
          {reviewCount > 0 && (
            <Item
              icon={<UserIcon />}
              to={{ to: '/right/review' }}
              words={t.reviews}
              count={t.quarters(reviewCount.toLocaleString())}
            />
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

interface ItemProps {
  icon: ReactNode
  /** The page of the task; undefined if the row is only information. */
  to?: Pick<LinkProps, 'to' | 'search'>
  words: string
  detail?: string
  count?: string
  /** True if nothing is open. */
  isQuiet?: boolean
}

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
