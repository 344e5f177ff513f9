import type { OutputOf } from '../../../contract/endpoint.ts'
import { listPartners, LIMITS, PARTNER_TYPE } from '../../../contract/partners.ts'
import {
  checkPartnerImport,
  importPartners,
  type PartnerImportColumn,
  PARTNER_IMPORT_COLUMNS,
  PARTNER_IMPORT_MAX_ROWS,
} from '../../../contract/partners/import.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { CellTable, ImportErrors } from '../../imports/import-errors.tsx'
import { FilePlace, Verdict, PreviewTable, TemplateButton } from '../../imports/import-parts.tsx'
import { type CheckedFile, useFileCheck } from '../../imports/use-file-check.ts'
import { usePortalMessages, useLanguage } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { LoadingOverlay } from '../../ui/loading-overlay.tsx'
import { FileHelp } from '../affiliations/help.tsx'
import { importHeadings, readPartnerFile, EXAMPLES } from './import-file.ts'
import layout from '../../ui/layout.module.css'
import styles from '../../imports/imports.module.css'
import { columnsOf } from '../../lists/columns.ts'
import { useAffiliations } from '../../forms/choices.ts'
import { exampleValidity, saveTemplate } from '../../imports/template.ts'
import { useProvinces } from './lists.ts'
import { partnerImport as en } from '../../../contract/messages/en/partner-import.ts'
import { partnerImport as ko } from '../../../contract/messages/ko/partner-import.ts'
import { showToast } from '../../ui/toasts.ts'

/**
 * The page /partner/import (rules/partners#import-partners): checks a file of new partner codes on the server
 * (`checkPartnerImport`), shows errors, warnings and a preview, and registers all of them (`importPartners`) if no row
 * is wrong.
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
      showToast(t.done(rowCount.toLocaleString()))
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

/** A file with the result of its check. */
type Checked = CheckedFile<PartnerImportColumn, OutputOf<typeof checkPartnerImport>>

/**
 * Shows the result of the check, which has changed nothing.
 * @param onAgain checks the same file again, after missing affiliations were created
 */
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

/** Result of a check. */
type CheckResult = OutputOf<typeof checkPartnerImport>
/** A partner as it would be registered. */
type Previewed = CheckResult['preview'][number]

/** Shows the first partner codes of a file as they would be registered, and the number of the others. */
export function ImportPreview({ result: { preview, rowCount } }: { result: CheckResult }) {
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

/**
 * Shows a button that saves the import template as a file, with lists of affiliations, types and provinces to choose
 * from (rules/partners#partner-template).
 */
export function PartnerTemplateButton() {
  const { partners, fields } = usePortalMessages()
  const t = usePartnerImportTexts()
  const affiliations = useAffiliations()
  const provinces = useProvinces()

  function save(): Promise<void> {
    const choices = {
      partnerType: Object.values(PARTNER_TYPE).map((type) => partners.type[type]),
      affiliationCode: affiliations.options.map(({ label }) => label),
      provinceName: provinces.options.map(({ value }) => value),
    }
    return saveTemplate({
      name: t.templateName,
      columns: PARTNER_IMPORT_COLUMNS,
      headings: importHeadings({ partners, fields }),
      examples: EXAMPLES.map((example, index) => ({
        ...example,
        partnerName: t.examples[index]?.partnerName ?? '',
        memo: t.examples[index]?.memo ?? '',
        partnerType: choices.partnerType[index] ?? '',
        affiliationCode: choices.affiliationCode[0] ?? '',
        ...(index === 0 ? exampleValidity() : { validFrom: '', validTo: '' }),
      })),
      choices,
      choicesName: t.choices,
      maxRows: PARTNER_IMPORT_MAX_ROWS,
    })
  }

  return <TemplateButton words={t} lists={[affiliations, provinces]} save={save} />
}

/**
 * Returns the texts of the partner import in the current language. They load with their page, apart from the common
 * texts.
 */
export function usePartnerImportTexts() {
  return { ko, en }[useLanguage().language]
}
