import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PLAIN_BASE } from '../../../contract/envelope.ts'
import { CallError } from '../../api/call-error.ts'
import { prefetch } from '../../api/query.ts'
import { LoadedRecord } from '../../forms/record-states.tsx'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { Crumbs } from '../../layout/breadcrumbs.tsx'
import { columnsOf } from '../../lists/columns.ts'
import { Page } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import layout from '../../ui/layout.module.css'
import { TextField } from '../../ui/text-field.tsx'
import styles from './developer.module.css'
import { CallReference } from './call-reference.tsx'
import { useDeveloperTexts } from './developer-texts.ts'
import { type ApiCall, type ApiDocument, callsIn } from './document.ts'

/** URL of the OpenAPI document of the plain calls. */
const DOCUMENT_URL = `${PLAIN_BASE}/openapi.json`

/**
 * Query for the calls of the OpenAPI document, which needs no session. It is read once per page. A failure is an
 * UNREACHABLE CallError.
 */
const documentQuery = queryOptions<ApiCall[]>({
  queryKey: [DOCUMENT_URL],
  staleTime: Infinity,
  async queryFn({ signal }) {
    const response = await fetch(DOCUMENT_URL, { signal }).catch(() => undefined)
    if (response?.ok !== true) throw new CallError(response?.status ?? 0, { code: 'UNREACHABLE', msg: '' })
    return callsIn((await response.json()) as ApiDocument)
  },
})

/** Prefetches the OpenAPI document. */
export function load(): void {
  void prefetch(documentQuery)
}

/**
 * The page /developer: the calls that programs can make (rules/wire#plain-calls), or the one that the URL names, with
 * its fields, samples and a form to try it.
 */
export default function Developer() {
  const { titles } = usePortalMessages()
  const t = useDeveloperTexts()
  const { call: id } = useSearch({ from: '/framed/developer' })
  const found = useQuery(documentQuery)
  const chosen = found.data?.find((one) => one.id === id)
  return (
    <Page
      title={chosen === undefined ? titles.developer : chosen.id}
      crumbs={chosen && <Crumbs list={<Link to="/developer">{t.back}</Link>} />}
    >
      <LoadedRecord query={found} title={titles.developer} loading={t.loading} failed={t.failed}>
        {(calls) =>
          chosen === undefined ? <CallList calls={calls} /> : <CallReference key={chosen.id} call={chosen} />
        }
      </LoadedRecord>
    </Page>
  )
}

/**
 * Shows the calls, which a search field filters by name, title and scope while the user types. A row opens its call.
 * Links to the OpenAPI document.
 */
function CallList({ calls }: { calls: readonly ApiCall[] }) {
  const t = useDeveloperTexts()
  const { language } = useLanguage()
  const navigate = useNavigate()
  const [keyword, setKeyword] = useState('')
  const wanted = keyword.trim().toLowerCase()
  const rows = calls.filter(({ id, titles, scope }) =>
    [id, titles.ko, titles.en, scope].some((text) => text.toLowerCase().includes(wanted)),
  )
  const { text, column } = columnsOf<ApiCall, keyof typeof t.columns>(t.columns)
  const columns = [text('id'), column('title', ({ titles }) => titles[language]), text('scope')]
  return (
    <div className={layout.stack}>
      <p>
        {t.lead} <a href={DOCUMENT_URL}>{t.document}</a>
      </p>
      <div className={styles.search}>
        <TextField label={t.search} type="search" value={keyword} onChange={setKeyword} autoComplete="off" />
      </div>
      <DataTable
        label={t.results}
        columns={columns}
        rows={rows}
        rowCount={Math.max(rows.length, 1)}
        getRowKey={({ id }) => id}
        onRowAction={({ id }) => void navigate({ to: '/developer', search: { call: id } })}
        rowHref={({ id }) => `/developer?call=${encodeURIComponent(id)}`}
        state="given"
        empty={t.empty}
      />
    </div>
  )
}
