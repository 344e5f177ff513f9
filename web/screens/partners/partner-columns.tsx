import type { OutputOf } from '../../../contract/endpoint.ts'
import { type listPartners } from '../../../contract/partners.ts'
import { usePortalMessages } from '../../language.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { LIMITS } from './form-values.ts'
import layout from '../../ui/layout.module.css'

/** A row of the partner list. */
export type PartnerRow = OutputOf<typeof listPartners>['partners'][number]

/** The columns of the partner search: the usual ones, then those that a person may add. */
export function usePartnerColumns(): ListColumn<PartnerRow>[] {
  const t = usePortalMessages().partners
  const headers = t.search.columns
  const sortable = (key: keyof typeof headers) => ({ key, header: headers[key], isSortable: true })
  const limit = (key: (typeof LIMITS)[number]): ListColumn<PartnerRow> => ({
    ...sortable(key),
    render: (row) =>
      row[key] === null ? <span className={layout.quiet}>{t.noLimit}</span> : row[key].toLocaleString(),
    // Room for the largest limit and the mark of the order.
    width: 122,
    align: 'right',
  })
  const day = (key: 'validFrom' | 'validTo'): ListColumn<PartnerRow> => ({
    ...sortable(key),
    render: (row) => row[key].slice(0, 10),
    width: 116,
    align: 'center',
  })
  return [
    {
      key: 'rowNumber',
      header: headers.rowNumber,
      render: (row) => row.rowNumber,
      width: 68,
      align: 'center',
      isRequired: true,
    },
    {
      ...sortable('partnerCode'),
      render: (row) => row.partnerCode,
      // The others do not squeeze it.
      width: 220,
      isRowHeader: true,
      isRequired: true,
    },
    { ...sortable('affiliationName'), render: (row) => row.affiliationName, width: 124 },
    ...LIMITS.map(limit),
    day('validFrom'),
    day('validTo'),
    {
      ...sortable('partnerType'),
      render: (row) => t.type[row.partnerType],
      width: 110,
      isExtra: true,
    },
    { ...sortable('provinceName'), render: (row) => row.provinceName, width: 150, isExtra: true },
    { ...sortable('districtName'), render: (row) => row.districtName, width: 130, isExtra: true },
  ]
}
