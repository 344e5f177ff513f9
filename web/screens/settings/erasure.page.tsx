import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useSearch } from '@tanstack/react-router'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { getErasure } from '../../../contract/settings/retention.ts'
import { prefetch, query } from '../../api/query.ts'
import { LoadedRecord } from '../../forms/record-states.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Crumbs } from '../../layout/breadcrumbs.tsx'
import { usePortalNames } from '../../layout/portal-names.ts'
import { columnsOf } from '../../lists/columns.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Report, ReportHead } from '../audit/report.tsx'
import { keptText, useGrounds, useRetentionTexts } from './retention-texts.ts'
import layout from '../../ui/layout.module.css'

/** The data erased in a period, as the API returns it. */
export type Erasure = OutputOf<typeof getErasure>

/** Returns the query for the erased data of a period, YYYY-MM-DD. */
const erasureQuery = (erasedFrom: string, erasedTo: string) => query(getErasure, { erasedFrom, erasedTo })

/** Prefetches the data erased in the period in the URL, if both of its days are there. */
export function load({ erasedFrom = '', erasedTo = '' }: { erasedFrom?: string; erasedTo?: string }): void {
  if (erasedFrom !== '' && erasedTo !== '') void prefetch(erasureQuery(erasedFrom, erasedTo))
}

/**
 * The page /setting/erasure (rules/retention#certificate): which data was erased in a period, by kind and retention
 * period, with numbers. It prints as a certificate of destruction. Redirects to /setting/retention without a period.
 */
export default function ErasureOfPeriod() {
  const { titles } = usePortalMessages()
  const t = useRetentionTexts()
  const { erasedFrom = '', erasedTo = '' } = useSearch({ from: '/framed/setting/erasure' })
  const isGiven = erasedFrom !== '' && erasedTo !== ''
  const found = useQuery({ ...erasureQuery(erasedFrom, erasedTo), enabled: isGiven })
  if (!isGiven) return <Navigate to="/setting/retention" replace />
  const erasure = found.data
  return (
    <>
      <div className={layout.onScreen}>
        <Page
          title={titles.settingErasure}
          crumbs={<Crumbs list={<Link to="/setting/retention">{titles.settingRetention}</Link>} />}
          actions={erasure && <Button onClick={() => window.print()}>{t.certificate.print}</Button>}
        >
          <LoadedRecord
            query={found}
            title={titles.settingErasure}
            loading={t.certificate.loading}
            failed={t.certificate.failed}
          >
            {(record) => <OpenErasure erasure={record} />}
          </LoadedRecord>
        </Page>
      </div>
      {erasure && <ErasureCertificate erasure={erasure} />}
    </>
  )
}

/**
 * Shows the facts of the period and a table of the erased data by kind and retention period, with a link to the whole
 * month of its first day.
 */
function OpenErasure({ erasure }: { erasure: Erasure }) {
  const t = useRetentionTexts()
  const facts = useErasureFacts(erasure)
  const { columns, count, months } = t.certificate
  const { column, text } = columnsOf<Erasure['rows'][number], keyof typeof columns>(columns)
  return (
    <div className={layout.parts}>
      <Card
        title={t.certificate.overview}
        actions={
          <Link to="/setting/erasure" search={monthOf(erasure.erasedFrom)}>
            {months}
          </Link>
        }
      >
        <FactList facts={facts} />
      </Card>
      <Card title={t.certificate.rows}>
        <DataTable
          label={t.certificate.rows}
          columns={[
            column('kind', ({ kind }) => t.kinds[kind], { isRowHeader: true, width: 220, wraps: 'words' }),
            column('erasedCount', ({ erasedCount }) => count(erasedCount.toLocaleString()), { width: 120 }),
            column('erasureMethod', ({ erasureMethod }) => t.methods[erasureMethod], { width: 150 }),
            column('keptFor', ({ kind, keptFor }) => t.keptSince(t.since[kind], keptText(t, kind, keptFor)), {
              wraps: 'words',
            }),
            text('firstAt', { width: 200 }),
            text('lastAt', { width: 200 }),
          ]}
          rows={erasure.rows}
          getRowKey={({ kind, erasureMethod, keptFor }) => `${kind} ${erasureMethod} ${keptFor}`}
          rowCount={Math.max(erasure.rows.length, 1)}
          state="given"
          empty={t.certificate.empty}
        />
      </Card>
    </div>
  )
}

/** Returns the first and last day of a day's month, YYYY-MM-DD. */
function monthOf(day: string): { erasedFrom: string; erasedTo: string } {
  const month = day.slice(0, 7)
  const end = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate()
  return { erasedFrom: `${month}-01`, erasedTo: `${month}-${end}` }
}

/**
 * Shows the printed certificate of destruction of a period: the facts, the legal statement, the erased data with
 * methods and reasons, or that none was erased, and space for a signature (rules/retention#certificate).
 */
export function ErasureCertificate({ erasure }: { erasure: Erasure }) {
  const t = useRetentionTexts()
  const { groundOf, certificateGrounds } = useGrounds()
  const facts = useErasureFacts(erasure)
  const { certificate } = t
  const { kind, erasedCount, erasureMethod, keptFor, reason, firstAt, lastAt } = certificate.columns
  return (
    <Report title={certificate.title} draft={false} facts={facts} signature={certificate.signature}>
      <p>{certificate.statement(certificateGrounds)}</p>
      <h2>{certificate.rows}</h2>
      {erasure.rows.length === 0 ? (
        <p>{certificate.empty}</p>
      ) : (
        <table>
          <ReportHead names={[kind, erasedCount, erasureMethod, keptFor, reason, firstAt, lastAt]} />
          <tbody>
            {erasure.rows.map((row) => (
              <tr key={`${row.kind} ${row.erasureMethod} ${row.keptFor}`}>
                <th scope="row">{t.kinds[row.kind]}</th>
                <td>{certificate.count(row.erasedCount.toLocaleString())}</td>
                <td>{certificate.methods[row.erasureMethod]}</td>
                <td>{t.keptSince(t.since[row.kind], keptText(t, row.kind, row.keptFor))}</td>
                <td>{groundOf(row.kind)}</td>
                <td>{row.firstAt}</td>
                <td>{row.lastAt}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Report>
  )
}

/**
 * Returns company, period, total number of erased records and the responsible officer, with their names, for the screen
 * and the certificate. Without an officer, a text says so.
 */
export function useErasureFacts({ erasedFrom, erasedTo, officerName, rows }: Erasure) {
  const t = useRetentionTexts()
  const { company } = usePortalNames()
  const { facts, period, count } = t.certificate
  const sum = rows.reduce((n, { erasedCount }) => n + erasedCount, 0)
  return [
    [facts.company, company],
    [facts.period, period(erasedFrom, erasedTo)],
    [facts.count, count(sum.toLocaleString())],
    [facts.officer, officerName || t.noOfficer],
  ] as const
}
