import { catalogues } from '../../../contract/messages/index.ts'
import { type exportPartners as endpoint, PARTNER_EXPORT_COLUMNS } from '../../../contract/partners.ts'
import { everyRowOf } from '../../db/list.ts'
import type { Handler } from '../../http/handler.ts'
import { exportList } from '../exports/index.ts'
import { partnerRows } from './list.ts'

/** Exports the partners that a search finds (rules/partners#partner-export), with the texts of the list. */
export const exportPartners: Handler<typeof endpoint> = (call, input) => {
  const words = catalogues[call.language].partners
  const limit = (most: number | null) => (most === null ? words.noLimit : String(most))
  return exportList(call, input, {
    list: 'partners',
    columns: PARTNER_EXPORT_COLUMNS,
    headers: words.search.columns,
    kinds: {
      maxKeysPerDay: 'number',
      maxKeysPerWeek: 'number',
      maxKeysPerMonth: 'number',
      maxKeysTotal: 'number',
      validFrom: 'date',
      validTo: 'date',
    },
    read: (tx) => everyRowOf(partnerRows(tx, input, call.language, call.now())),
    cells: (row) => ({
      ...row,
      partnerType: words.type[row.partnerType],
      maxKeysPerDay: limit(row.maxKeysPerDay),
      maxKeysPerWeek: limit(row.maxKeysPerWeek),
      maxKeysPerMonth: limit(row.maxKeysPerMonth),
      maxKeysTotal: limit(row.maxKeysTotal),
      validTo: row.validTo.slice(0, 10),
    }),
  })
}
