import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { getToDo } from '../../../contract/home.ts'
import { cancelUpload, listUploads } from '../../../contract/notices.ts'
import { framedPages, isOffered, type Page, pages } from '../../../contract/pages.ts'
import type { FunctionName } from '../../../contract/permissions.ts'
import { query, refresh, useCall } from '../../api/query.ts'
import { formatDraftTime, listDrafts } from '../../drafts.ts'
import { LoadFailed } from '../../forms/load-error.tsx'
import { usePortalMessages } from '../../language.tsx'
import { useNetworkIdle } from '../../layout/use-network-idle.ts'
import { useSessionUserId } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { dialogs } from '../../ui/dialogs.ts'
import { ChevronRightIcon } from '../../ui/icons.tsx'
import { bytesAsText } from '../notices/files/bytes.ts'
import { useHomeTexts } from './home-texts.ts'
import layout from '../../ui/layout.module.css'
import panel from './notice-panel.module.css'
import styles from './to-do.module.css'

/**
 * Shows the keys most recently issued to the user, and a link to the key history filtered by the user's login ID
 * (rules/home#latest-keys). Shows nothing without keys.
 */
export function LatestKeys({ keys = [] }: { keys: OutputOf<typeof getToDo>['keys'] }) {
  const { keys: t, more } = useHomeTexts()
  const userId = useSessionUserId()
  if (keys.length === 0 || userId === null) return null
  return (
    <Card
      title={t.heading}
      actions={
        <Link to="/key/search" search={{ userId }} aria-label={t.history}>
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

/** Most drafts that the card shows. */
const DRAFTS_SHOWN = 3

/**
 * Shows the user's latest unsaved drafts in this browser, up to 3, each with a link to its form
 * (rules/home#own-drafts). Shows nothing without drafts.
 */
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

/** Returns the title of the page that a draft's URL opens; that of the home page for an unknown one. */
function titleOfDraft(href: string): Page['title'] {
  const { pathname, searchParams } = new URL(href, location.origin)
  if (pathname === '/notice/insert' && searchParams.has('noticeId')) return 'noticeEdit'
  const known: Record<string, Page> = pages
  return known[pathname]?.title ?? 'main'
}

/** Pages that users often open from the home page. Each user sees those with permission. */
const ACTIONS = ['/notice/insert', '/user/insert', '/partner/insert', '/key/search', '/mypage'] as const

/**
 * Shows links to the way to a key, and to pages that users often open, as far as these permissions allow
 * (rules/home#quick-actions).
 */
export function QuickActions({ functions }: { functions: readonly FunctionName[] }) {
  const { titles } = usePortalMessages()
  const t = useHomeTexts().quick
  const open = ACTIONS.filter((path) => isOffered(framedPages[path], functions))
  return (
    <Card title={t.heading}>
      <ul className={styles.area}>
        <li>
          <Link className={classes(panel.slot, styles.item)} to="/mypage" hash="own-programs">
            <span className={styles.most}>{t.issueKey}</span>
            <ChevronRightIcon size={16} />
          </Link>
        </li>
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

/**
 * Shows the user's uploads that no saved notice has yet (rules/home#own-uploads). A link continues in the notice form,
 * a button deletes one after a question (`cancelUpload`). Shows nothing without uploads. Few users have any, so they
 * are requested last and appear below everything else: nothing moves.
 */
export function OwnUploads() {
  const uploads = useQuery({ ...query(listUploads, {}), enabled: useNetworkIdle(true) })
  const t = useHomeTexts().uploads
  const userId = useSessionUserId()
  const cancel = useCall(cancelUpload)
  const list = useRef<HTMLUListElement>(null)
  if (uploads.data === undefined && !uploads.isError) return null
  if (uploads.data?.uploads.length === 0) return null
  const drafts = userId === null ? [] : listDrafts(userId)

  async function remove(uploadId: string, fileName: string): Promise<void> {
    if (!(await dialogs.confirm({ title: t.removeTitle, message: t.question(fileName), isDanger: true })))
      return
    await cancel.mutateAsync({ uploadId })
    await refresh(listUploads)
    // The button is removed with its row.
    const at = document.activeElement
    if (at === document.body || list.current?.contains(at)) list.current?.focus()
  }

  return (
    <Card title={t.heading}>
      {uploads.data === undefined ? (
        <LoadFailed query={uploads} message={t.failed} />
      ) : (
        <ul ref={list} className={styles.area} tabIndex={-1}>
          {uploads.data.uploads.map(({ uploadId, fileName, fileSize, stored }) => (
            <li key={uploadId} className={classes(panel.slot, styles.item)}>
              <div className={panel.words}>
                <span className={styles.key}>{fileName}</span>
                <span className={layout.hint}>
                  {[stored ? t.stored : t.unfinished, bytesAsText(fileSize)].join(' · ')}
                </span>
              </div>
              <Link
                to="/notice/insert"
                search={placeOf(uploadId, drafts)}
                className={styles.goOn}
                aria-label={t.goOnWith(fileName)}
              >
                {t.goOn}
              </Link>
              <Button
                size="small"
                isPending={cancel.isPending && cancel.variables.uploadId === uploadId}
                aria-label={t.removeOne(fileName)}
                onClick={() => void remove(uploadId, fileName)}
              >
                {t.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/**
 * Returns the query parameters of /notice/insert for the form whose draft names the upload, or else for a new notice.
 */
function placeOf(uploadId: string, drafts: ReturnType<typeof listDrafts>): Record<string, string> {
  const draft = drafts.find(({ values }) => values['uploadId'] === uploadId)
  if (draft === undefined) return { uploadId }
  return Object.fromEntries(new URL(draft.href, location.origin).searchParams)
}
