import { CODE_GROUP } from '../../../contract/common.ts'
import { useCodes } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { DownloadIcon } from '../../ui/icons.tsx'
import { useRoles } from './lists.ts'
import { saveTemplate } from './import-template.ts'

/** Saves the template with the affiliations and roles that the person may give (rules/users#template). */
export function TemplateButton() {
  const { users } = usePortalMessages()
  const affiliations = useCodes(CODE_GROUP.affiliation)
  const roles = useRoles()
  const lists = [affiliations, roles]

  async function save(): Promise<void> {
    if (lists.some(({ isFailed }) => isFailed)) {
      for (const { isFailed, retry } of lists) if (isFailed) retry()
      await dialogs.alert({ message: users.import.templateFailed })
      return
    }
    await saveTemplate(users, {
      affiliationCode: affiliations.options.map(({ label }) => label),
      roleCode: roles.options.map(({ label }) => label),
    })
  }

  return (
    <Button size="small" isPending={lists.some(({ isLoading }) => isLoading)} onClick={() => void save()}>
      <DownloadIcon size={16} />
      {users.import.template}
    </Button>
  )
}
