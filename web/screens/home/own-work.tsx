import { Link } from '@tanstack/react-router'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { getToDo } from '../../../contract/home.ts'
import { framedPages, type Page, pages } from '../../../contract/pages.ts'
import type { FunctionName } from '../../../contract/permissions.ts'
import { formatDraftTime, listDrafts } from '../../drafts.ts'
import { usePortalMessages } from '../../language.tsx'
import { useSessionUserId } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { ChevronRightIcon } from '../../ui/icons.tsx'
import layout from '../../ui/layout.module.css'
import { useHomeTexts } from './home-texts.ts'
import panel from './notice-panel.module.css'
import styles from './to-do.module.css'

/** Shows the keys most recently issued to the user, if there are any (rules/home#latest-keys). */
export function LatestKeys(props: { keys: OutputOf<typeof getToDo>['keys']; name: string }) {
  const { keys = [], name } = props
  const { keys: t, more } = useHomeTexts()
  if (keys.length === 0) return null
  return (
    <Card
      title={t.heading}
      actions={
        <Link to="/key/search" search={{ requesterName: name }} aria-label={t.history}>
          {more}
        </Link>
      }
    >
      <ul className={styles.area}>
        {keys.map(({ keyId, requestKey, issuedAt, revoked }) => (
          <li key={keyId} className={classes(panel.slot, styles.item)}>
            <span className={classes(styles.most, styles.key)}>{requestKey}</span>
            {revoked && <Badge tone="danger">{t.revoked}</Badge>}
            <time className={layout.hint} dateTime={issuedAt.replace(' ', 'T')} title={issuedAt}>
              {issuedAt.slice(0, 10)}
            </time>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const DRAFTS_SHOWN = 3

/** Shows the user's unsaved drafts in this browser, each with a link to its form (rules/home#own-drafts). */
export function OwnDrafts() {
  const { titles } = usePortalMessages()
  const t = useHomeTexts().drafts
  const userId = useSessionUserId()
  const drafts = userId === null ? [] : listDrafts(userId)
  // A form may have two, of which the page offers both.
  const places = drafts.filter(({ href }, at) => drafts.findIndex((draft) => draft.href === href) === at)
  if (places.length === 0) return null
  return (
    <Card title={t.heading}>
      <ul className={styles.area}>
        {places.slice(0, DRAFTS_SHOWN).map(({ href, name, savedAt }) => (
          <li key={href}>
            <a className={classes(panel.slot, styles.item)} href={href}>
              <span className={classes(styles.most, styles.key)}>
                {[titles[titleOfDraft(href)], name].filter(Boolean).join(' · ')}
              </span>
              <time className={layout.hint} dateTime={savedAt}>
                {formatDraftTime(savedAt)}
              </time>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function titleOfDraft(href: string): Page['title'] {
  const { pathname, searchParams } = new URL(href, location.origin)
  if (pathname === '/notice/insert' && searchParams.has('noticeId')) return 'noticeEdit'
  const known: Record<string, Page> = pages
  return known[pathname]?.title ?? 'main'
}

/** Pages that users often open from the home page. Each user sees those with permission. */
const ACTIONS = ['/notice/insert', '/user/insert', '/partner/insert', '/key/search', '/mypage'] as const

/** Links to frequent actions of the user (rules/home#quick-actions). */
export function QuickActions({ functions }: { functions: readonly FunctionName[] }) {
  const { titles } = usePortalMessages()
  const t = useHomeTexts().quick
  const open = ACTIONS.filter((path) => {
    const { permission }: Page = framedPages[path]
    return permission === undefined || functions.includes(permission)
  })
  return (
    <Card title={t.heading}>
      <ul className={styles.area}>
        {open.map((path) => (
          <li key={path}>
            <Link className={classes(panel.slot, styles.item)} to={path}>
              <span className={styles.most}>{titles[framedPages[path].title]}</span>
              <ChevronRightIcon size={16} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
