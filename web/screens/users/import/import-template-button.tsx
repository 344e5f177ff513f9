import { ROLE } from '../../../../contract/permissions.ts'
import { IMPORT_MAX_ROWS } from '../../../../contract/users/import.ts'
import { useCustomFields } from '../../../forms/custom-fields.ts'
import { useAffiliations } from '../../../forms/choices.ts'
import { exampleValidity, saveTemplate } from '../../../imports/template.ts'
import { TemplateButton } from '../../../imports/import-parts.tsx'
import { EXAMPLES, userFile } from './import-file.ts'
import { useImportHeadings, useUserImportTexts } from './import-texts.ts'
import { useRoles } from '../search/lists.ts'

/**
 * Shows a button that saves the import template as a file, with two example rows, the affiliations, and the roles that
 * the user may grant (rules/users#template). Makes no call that changes data.
 */
export function UserTemplateButton() {
  const headings = useImportHeadings()
  const customFields = useCustomFields()
  const t = useUserImportTexts()
  const affiliations = useAffiliations()
  const roles = useRoles()

  function save(): Promise<void> {
    const choices = {
      affiliationCode: affiliations.options.map(({ label }) => label),
      roleCode: roles.options.map(({ label }) => label),
      ...Object.fromEntries(
        customFields
          .filter(({ kind }) => kind === 'choice')
          .map(({ slot, choices: values }) => [slot, values]),
      ),
    }
    // Never another role: a row that is filled in and not changed must not grant permissions. Empty if it cannot be granted.
    const ordinaryRole = roles.options.find(({ value }) => value === ROLE.user)?.label ?? ''
    return saveTemplate({
      name: t.templateName,
      columns: userFile(customFields).columns,
      headings,
      examples: EXAMPLES.map((example, index) => ({
        ...example,
        name: t.examples[index]?.name ?? '',
        position: t.examples[index]?.position ?? '',
        affiliationCode: choices.affiliationCode[0] ?? '',
        roleCode: ordinaryRole,
        ...exampleValidity(),
      })),
      choices,
      choicesName: t.choices,
      maxRows: IMPORT_MAX_ROWS,
    })
  }

  return <TemplateButton words={t} lists={[affiliations, roles]} save={save} />
}
