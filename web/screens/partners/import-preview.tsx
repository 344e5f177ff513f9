import type { OutputOf } from '../../../contract/endpoint.ts'
import { LIMITS } from '../../../contract/partners.ts'
import { type checkPartnerImport, type PartnerImportColumn } from '../../../contract/partners/import.ts'
import { PreviewTable } from '../../imports/preview-table.tsx'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf } from '../../lists/columns.ts'
import { importHeadings } from './import-file.ts'
import { usePartnerImportTexts } from './import-texts.ts'
import layout from '../../ui/layout.module.css'

type Result = OutputOf<typeof checkPartnerImport>
type Previewed = Result['preview'][number]

/** The first partner codes of a file as they would be registered, and how many more there are. */
export function ImportPreview({ result: { preview, rowCount } }: { result: Result }) {
  const { partners, fields } = usePortalMessages()
  const { text, column } = columnsOf<Previewed, PartnerImportColumn | 'affiliationName'>({
    ...partners.search.columns,
    ...importHeadings({ partners, fields }),
  })
  return (
    <PreviewTable
      words={usePartnerImportTexts()}
      total={rowCount}
      columns={[
        // Room for the longest code.
        text('partnerCode', { width: 250, isRowHeader: true }),
        column('partnerType', ({ partnerType }) => partners.type[partnerType], { width: 100 }),
        text('affiliationName', { width: 130 }),
        text('provinceName', { width: 140 }),
        text('districtName', { width: 120 }),
        text('partnerName', { width: 150 }),
        ...LIMITS.map((limit) =>
          column(
            limit,
            (row) => row[limit]?.toLocaleString() ?? <span className={layout.quiet}>{partners.noLimit}</span>,
            { width: 122, align: 'right' },
          ),
        ),
        text('validFrom', { width: 116, align: 'center' }),
        text('validTo', { width: 116, align: 'center' }),
        text('contact', { width: 140 }),
        text('memo', { width: 160 }),
      ]}
      rows={preview}
      getRowKey={(row) => row.partnerCode}
    />
  )
}
