import { CODE_GROUP } from '../../../../contract/common.ts'
import { ROLE } from '../../../../contract/permissions.ts'
import { IMPORT_COLUMNS, IMPORT_MAX_ROWS } from '../../../../contract/users/import.ts'
import { useCodes } from '../../../forms/choices.ts'
import { exampleValidity, saveTemplate } from '../../../imports/template.ts'
import { TemplateButton } from '../../../imports/template-button.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { importHeadings } from './import-columns.ts'
import { EXAMPLES } from './import-examples.ts'
import { useUserImportTexts } from './import-texts.ts'
import { useRoles } from '../search/lists.ts'

/** Saves the template with the affiliations and roles that the person may give (rules/users#template). */
export function UserTemplateButton() {
  const { users } = usePortalMessages()
  const t = useUserImportTexts()
  const affiliations = useCodes(CODE_GROUP.affiliation)
  const roles = useRoles()

  function save(): Promise<void> {
    const choices = {
      affiliationCode: affiliations.options.map(({ label }) => label),
      roleCode: roles.options.map(({ label }) => label),
    }
    // Never another role: a row that is filled in and not changed must not grant permissions. Empty if it cannot be granted.
    const ordinaryRole = roles.options.find(({ value }) => value === ROLE.user)?.label ?? ''
    return saveTemplate({
      name: t.templateName,
      columns: IMPORT_COLUMNS,
      headings: importHeadings(users),
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
