import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useLocation, useSearch } from '@tanstack/react-router'
import { getAccess } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { prefetch, recordQuery } from '../../api/query.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { Crumbs } from '../../layout/breadcrumbs.tsx'
import { useRecordName } from '../../layout/record-name.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf } from '../../lists/columns.ts'
import { PagedTable } from '../../lists/paged-table.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import layout from '../../ui/layout.module.css'
import { Outcome, usePersonText } from './access-columns.tsx'
import { useAccessTexts } from './access-texts.ts'

/** A row of the access log with its data subjects. */
type Access = OutputOf<typeof getAccess>
/** A data subject of the row. */
type Person = Access['subjects'][number]

/** Data subjects per page. */
const PEOPLE_PER_PAGE = 20

/** Returns the query for a row of the access log. */
const accessQuery = (accessId: string) => recordQuery(getAccess, { accessId })

/** Prefetches the access-log row whose ID is in the URL, if any. */
export function load({ accessId = '' }: { accessId?: string }): void {
  if (accessId !== '') void prefetch(accessQuery(accessId))
}

/**
 * The page /access/detail (rules/audit#access-detail): one row of the access log with its data subjects. Redirects to
 * the list without an ID.
 */
export default function AccessDetail() {
  const { titles } = usePortalMessages()
  const { accessId } = useSearch({ from: '/framed/access/detail' })
  const listSearch = useLocation({ select: ({ state }) => state.accessSearch }) ?? {}
  if (accessId === undefined || accessId === '') return <Navigate to="/access/search" replace />
  return (
    <Page
      title={titles.accessDetail}
      crumbs={
        <Crumbs
          list={
            <Link to="/access/search" search={listSearch}>
              {titles.accessSearch}
            </Link>
          }
        />
      }
    >
      <OpenAccess accessId={accessId} />
    </Page>
  )
}

/**
 * Shows the row and its data subjects, or the loading state; a refusal and a failure appear there with a retry. Names
 * the page by the ID of the row.
 */
function OpenAccess({ accessId }: { accessId: string }) {
  const t = useAccessTexts()
  const access = useQuery(accessQuery(accessId))
  const { data: record, error } = access
  useRecordName(record?.accessId)
  if (!record) {
    const failed = error?.isServerFailure === false ? error.message : t.detail.failed
    return <RecordStates query={access} title={t.detail.title} loading={t.detail.loading} failed={failed} />
  }
  return (
    <>
      <Card title={t.detail.title}>
        <Facts access={record} />
      </Card>
      <Subjects access={record} />
    </>
  )
}

/** Shows the columns of the row, without an empty search, refusal or annotation. */
function Facts({ access }: { access: Access }) {
  const t = useAccessTexts()
  const names = t.columns
  const personText = usePersonText()
  const facts = [
    [names.accessId, access.accessId],
    [names.accessedAt, access.accessedAt],
    [names.user, access.userId === '' ? t.nobody : personText(access)],
    [names.address, access.address],
    [names.act, access.act],
    [names.task, access.task],
    ...(access.searchedBy === '' ? [] : [[names.searchedBy, access.searchedBy] as const]),
    [names.outcome, <Outcome key="outcome" refusal={access.refusal} />],
    ...(access.refusal === '' ? [] : [[names.refusal, access.refusal] as const]),
    ...(access.annotation === '' ? [] : [[names.annotation, access.annotation] as const]),
    [names.callId, access.callId],
  ] as const
  return <FactList columns="four" facts={facts} />
}

/** Shows the data subjects of the row, 20 a page. The server may return fewer than there were; a text says so. */
function Subjects({ access: { subjects, subjectCount } }: { access: Access }) {
  const t = useAccessTexts().detail
  const { removed } = useAccessTexts()
  const { column } = columnsOf<Person, keyof typeof t.personColumns>(t.personColumns)
  const columns = [
    column('name', ({ userId, name }) => name || (userId === '' ? removed : t.unknown), {
      isRowHeader: true,
    }),
    column('userId', ({ userId }) => <SubjectLink userId={userId} />),
  ]
  const title = t.subjects(subjectCount.toLocaleString())
  return (
    <Card title={title}>
      {subjects.length < subjectCount && (
        <p className={layout.lead}>{t.shown(subjects.length.toLocaleString())}</p>
      )}
      {subjectCount === 0 ? (
        <p className={layout.quiet}>{t.noSubjects}</p>
      ) : (
        <PagedTable
          label={title}
          columns={columns}
          rows={subjects}
          // Deleted accounts have nothing else that distinguishes them.
          getRowKey={(row) => subjects.indexOf(row)}
          perPage={PEOPLE_PER_PAGE}
          empty={t.noSubjects}
        />
      )}
    </Card>
  )
}

/**
 * Links to all entries of the access log about this user. Shows nothing for a deleted account, whose login ID is ''.
 */
function SubjectLink({ userId }: { userId: string }) {
  if (userId === '') return null
  return (
    <Link to="/access/search" search={{ subject: userId }}>
      {userId}
    </Link>
  )
}
