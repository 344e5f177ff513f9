import type { OutputOf } from '../../../contract/endpoint.ts'
import { LIMITS, type LimitName, type listPartners } from '../../../contract/partners.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, dayOf } from '../../lists/columns.ts'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { PartnerBadge } from './partner-badge.tsx'
import layout from '../../ui/layout.module.css'

/** A row of the partner list. */
export type PartnerRow = OutputOf<typeof listPartners>['partners'][number]

/** The columns of the partner search: the usual ones, then those that a person may add. */
export function usePartnerColumns(): ListColumn<PartnerRow>[] {
  const { partners: t, regionName } = usePortalMessages()
  const { text, column } = columnsOf<PartnerRow, keyof typeof t.search.columns>(t.search.columns)
  const isSortable = true
  const limit = (key: LimitName) =>
    column(
      key,
      (row) => row[key]?.toLocaleString() ?? <span className={layout.quiet}>{t.noLimit}</span>,
      // Room for the largest limit and the mark of the order.
      { width: 122, align: 'right', isSortable },
    )
  const day = (key: 'validFrom' | 'validTo') =>
    column(key, (row) => dayOf(row[key]) || <span className={layout.quiet}>{t.noLimit}</span>, {
      width: 116,
      align: 'center',
      isSortable,
    })
  return [
    text('rowNumber', { width: 68, align: 'center', isRequired: true }),
    // The others do not squeeze it.
    column(
      'partnerCode',
      (row) => (
        <>
          {row.partnerCode}
          {row.state !== 'valid' && ' '}
          <PartnerBadge state={row.state} />
        </>
      ),
      { width: 220, isSortable, isRowHeader: true, isRequired: true },
    ),
    text('partnerName', { width: 180, isSortable, isExtra: true }),
    text('affiliationName', { width: 124, isSortable }),
    ...LIMITS.map(limit),
    day('validFrom'),
    day('validTo'),
    column('partnerType', (row) => t.type[row.partnerType], { width: 110, isSortable, isExtra: true }),
    column('provinceName', (row) => regionName(row.provinceName), { width: 150, isSortable, isExtra: true }),
    column('districtName', (row) => regionName(row.districtName), { width: 130, isSortable, isExtra: true }),
  ]
}
