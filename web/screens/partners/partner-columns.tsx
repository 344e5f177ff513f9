import type { OutputOf } from '../../../contract/endpoint.ts'
import { type listPartners, NO_LIMIT } from '../../../contract/partners.ts'
import { usePortalMessages } from '../../language.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { LIMITS } from './form-values.ts'
import layout from '../../ui/layout.module.css'

/** A row of the partner list. */
export type PartnerRow = OutputOf<typeof listPartners>['PARTNER_LIST'][number]

/** The columns of the partner search: those of spec §2, then those that a person may add. */
export function usePartnerColumns(): ListColumn<PartnerRow>[] {
  const t = usePortalMessages().partners
  const headers = t.search.columns
  const sortable = (key: keyof typeof headers) => ({ key, header: headers[key], isSortable: true })
  const limit = (key: (typeof LIMITS)[number]): ListColumn<PartnerRow> => ({
    ...sortable(key),
    render: (row) =>
      row[key] === NO_LIMIT ? <span className={layout.quiet}>{t.noLimit}</span> : row[key].toLocaleString(),
    // Room for the largest limit and the mark of the order.
    width: 122,
    align: 'right',
  })
  const day = (key: 'EXPIRY_DATETIME_START' | 'EXPIRY_DATETIME_END'): ListColumn<PartnerRow> => ({
    ...sortable(key),
    render: (row) => row[key].slice(0, 10),
    width: 116,
    align: 'center',
  })
  return [
    { key: 'NO', header: headers.NO, render: (row) => row.NO, width: 68, align: 'center', isRequired: true },
    {
      ...sortable('PARTNER_CODE'),
      render: (row) => row.PARTNER_CODE,
      // The others do not squeeze it.
      width: 220,
      isRowHeader: true,
      isRequired: true,
    },
    { ...sortable('BELONGTO_CODE_NAME'), render: (row) => row.BELONGTO_CODE_NAME, width: 124 },
    ...LIMITS.map(limit),
    day('EXPIRY_DATETIME_START'),
    day('EXPIRY_DATETIME_END'),
    {
      ...sortable('PARTNER_TYPE'),
      render: (row) => t.type[row.PARTNER_TYPE],
      width: 110,
      isExtra: true,
    },
    { ...sortable('SIDO_NAME'), render: (row) => row.SIDO_NAME, width: 150, isExtra: true },
    { ...sortable('SIGUNGU_NAME'), render: (row) => row.SIGUNGU_NAME, width: 130, isExtra: true },
  ]
}
