import { CODE_GROUP } from '../../../contract/common.ts'
import { PARTNER_TYPE } from '../../../contract/partners.ts'
import { PARTNER_IMPORT_COLUMNS, PARTNER_IMPORT_MAX_ROWS } from '../../../contract/partners/import.ts'
import { useCodes } from '../../forms/choices.ts'
import { exampleValidity, saveTemplate } from '../../imports/template.ts'
import { TemplateButton } from '../../imports/template-button.tsx'
import { usePortalMessages } from '../../language.tsx'
import { EXAMPLES, importHeadings } from './import-file.ts'
import { usePartnerImportTexts } from './import-texts.ts'
import { useProvinces } from './lists.ts'

/** Saves the template with the affiliations, types and provinces to choose from (rules/partners#partner-template). */
export function PartnerTemplateButton() {
  const { partners, fields } = usePortalMessages()
  const t = usePartnerImportTexts()
  const affiliations = useCodes(CODE_GROUP.affiliation)
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
