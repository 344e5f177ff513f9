import type { OutputOf } from '../../../contract/endpoint.ts'
import { listPartners } from '../../../contract/partners.ts'
import {
  checkPartnerImport,
  importPartners,
  type PartnerImportColumn,
} from '../../../contract/partners/import.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { CellTable } from '../../imports/cell-table.tsx'
import { FilePlace } from '../../imports/file-place.tsx'
import { ImportErrors } from '../../imports/import-errors.tsx'
import { type CheckedFile, useFileCheck } from '../../imports/use-file-check.ts'
import { Verdict } from '../../imports/verdict.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { LoadingOverlay } from '../../ui/loading-overlay.tsx'
import { FileHelp } from '../affiliations/file-help.tsx'
import { importHeadings, readPartnerFile } from './import-file.ts'
import { ImportPreview } from './import-preview.tsx'
import { PartnerTemplateButton } from './import-template-button.tsx'
import { usePartnerImportTexts } from './import-texts.ts'
import layout from '../../ui/layout.module.css'
import styles from '../../imports/imports.module.css'

/**
 * /partner/import (rules/partners#import-partners): a file of new partner codes is checked, and registered when no row of
 * it is wrong.
 */
export default function PartnerImport() {
  const { titles, partners, fields } = usePortalMessages()
  const t = usePartnerImportTexts()
  const check = useCall(checkPartnerImport)
  const write = useCall(importPartners)
  const work = useFileCheck({
    read: readPartnerFile,
    check: (rows) => check.mutateAsync({ rows }),
    words: t,
    headings: importHeadings({ partners, fields }),
  })
  const { checked } = work

  async function register({ rows }: Checked): Promise<void> {
    try {
      const { rowCount } = await write.mutateAsync({ rows })
      work.clear()
      void invalidate(listPartners)
      await dialogs.alert({ message: t.done(rowCount.toLocaleString()), tone: 'success' })
    } catch (error) {
      await work.refused(error)
    }
  }

  return (
    <Page title={titles.partnerImport}>
      <Card title={titles.partnerImport} actions={<PartnerTemplateButton />}>
        <div className={styles.body}>
          <p>{t.lead}</p>
          <FilePlace
            words={t}
            fileName={checked?.name}
            isBusy={work.isReading}
            onFile={(file) => void work.open(file)}
          />
          {checked !== null && <Result checked={checked} onAgain={() => void work.again()} />}
          {checked !== null && checked.result.errorCount === 0 && (
            <div className={styles.actions}>
              <Button variant="primary" isPending={write.isPending} onClick={() => void register(checked)}>
                {t.submit(checked.rows.length.toLocaleString())}
              </Button>
            </div>
          )}
        </div>
      </Card>
      {write.isPending && <LoadingOverlay label={t.importing} />}
    </Page>
  )
}

type Checked = CheckedFile<PartnerImportColumn, OutputOf<typeof checkPartnerImport>>

/** Shows the result of the dry run. */
function Result({ checked, onAgain }: { checked: Checked; onAgain: () => void }) {
  const { partners, fields } = usePortalMessages()
  const t = usePartnerImportTexts()
  const headings = importHeadings({ partners, fields })
  const { rows, result } = checked
  const { errors, errorCount, warnings } = result
  return (
    <>
      <Verdict words={t} checked={checked} />
      {errors.some(({ field }) => field === 'affiliationCode') && (
        <FileHelp lacks="affiliation" onAgain={onAgain} />
      )}
      {errorCount > 0 && (
        <ImportErrors words={t} headings={headings} rows={rows} errors={errors} errorCount={errorCount} />
      )}
      {warnings.length > 0 && (
        <>
          <p className={layout.quiet}>{t.warningsLead}</p>
          <CellTable words={t} label={t.warnings} headings={headings} rows={rows} cells={warnings} />
        </>
      )}
      {errorCount === 0 && <ImportPreview result={result} />}
    </>
  )
}
