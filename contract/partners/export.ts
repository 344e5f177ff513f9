import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from '../endpoint.ts'
import { sorting } from '../fields.ts'
import { columnFields, exportFields } from '../list-export.ts'
import { PARTNER_SORTS, partnerFilters } from './list.ts'
import { managePartners } from './record.ts'

/** The columns of exported partners, in order: those of the list. */
export const PARTNER_EXPORT_COLUMNS = PARTNER_SORTS

/**
 * Exports every partner that a search with these filters finds (rules/partners#partner-export). It contains no personal
 * data, so nothing is masked. EXPORT_BUSY while other exports run, EXPORT_TOO_LARGE for more rows than a sheet has.
 */
export const exportPartners = endpoint({
  path: '/pid/v1/exp/PartnerList',
  summary: 'Export the partners that a search finds as CSV or XLSX',
  access: managePartners,
  input: z.strictObject({
    ...partnerFilters,
    ...sorting(PARTNER_SORTS),
    ...columnFields(PARTNER_EXPORT_COLUMNS),
    ...exportFields,
  }),
  errors: ['EXPORT_BUSY', 'EXPORT_TOO_LARGE'],
  audit: 'partner.export',
  personal: 'none',
  limit: USUAL_LIMIT,
  answer: 'file',
})
