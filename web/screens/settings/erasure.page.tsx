import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useSearch } from '@tanstack/react-router'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { getErasure } from '../../../contract/settings/retention.ts'
import { prefetch, query } from '../../api/query.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { useShowRefusal } from '../../forms/refusal.ts'
import { Crumbs } from '../../frame/crumbs.tsx'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf } from '../../lists/columns.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import layout from '../../ui/layout.module.css'
import { ErasureCertificate } from './erasure-certificate.tsx'
import { useErasureFacts } from './erasure-facts.ts'
import { keptText, useRetentionTexts } from './retention-texts.ts'

/** The data erased in a period, as the API returns it. */
export type Erasure = OutputOf<typeof getErasure>

const erasureQuery = (erasedFrom: string, erasedTo: string) => query(getErasure, { erasedFrom, erasedTo })

/** Asks for the period that the address names. */
export function load({ erasedFrom = '', erasedTo = '' }: { erasedFrom?: string; erasedTo?: string }): void {
  if (erasedFrom !== '' && erasedTo !== '') void prefetch(erasureQuery(erasedFrom, erasedTo))
}

/** The page /setting/erasure (rules/retention#certificate): the data erased in a period. Prints as its certificate. */
export default function ErasureOfPeriod() {
  const { titles } = usePortalMessages()
  const t = useRetentionTexts()
  const { erasedFrom = '', erasedTo = '' } = useSearch({ from: '/framed/setting/erasure' })
  const isGiven = erasedFrom !== '' && erasedTo !== ''
  const found = useQuery({ ...erasureQuery(erasedFrom, erasedTo), enabled: isGiven })
  useShowRefusal(found.error)
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
          {erasure === undefined ? (
            <RecordStates
              query={found}
              title={titles.settingErasure}
              loading={t.certificate.loading}
              failed={t.certificate.failed}
            />
          ) : (
            <OpenErasure erasure={erasure} />
          )}
        </Page>
      </div>
      {erasure && <ErasureCertificate erasure={erasure} />}
    </>
  )
}

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
          getRowKey={({ kind, keptFor }) => `${kind} ${keptFor}`}
          rowCount={Math.max(erasure.rows.length, 1)}
          state="given"
          empty={t.certificate.empty}
        />
      </Card>
    </div>
  )
}

/** The whole month of a day. */
function monthOf(day: string): { erasedFrom: string; erasedTo: string } {
  const month = day.slice(0, 7)
  const end = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate()
  return { erasedFrom: `${month}-01`, erasedTo: `${month}-${end}` }
}
