import { createRole, renameRole } from '../../../contract/roles.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { useCall } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { useRoleTexts } from './role-texts.ts'
import type { Role } from './role-names.ts'

type Names = InputOf<typeof createRole>

interface Props {
  /** The role to rename; without one a role is added. */
  role: Role | undefined
  onSaved: () => Promise<void>
  onClose: () => void
}

/** Asks for both names of a role. Beside the page's own form, if it had one: the submit stays here. */
export function RoleDialog({ role, onSaved, onClose }: Props) {
  const t = useRoleTexts()
  const { fields } = usePortalMessages()
  const create = useCall(createRole)
  const rename = useCall(renameRole)
  const form = useSchemaForm(createRole.input, {
    roleName: role?.roleName ?? '',
    roleNameEn: role?.roleNameEn ?? '',
  })

  async function save(names: Names): Promise<void> {
    try {
      await (role === undefined
        ? create.mutateAsync(names)
        : rename.mutateAsync({ roleCode: role.roleCode, ...names }))
    } catch (error) {
      await showRefusalOnField(error, form, { ROLE_NAME_TAKEN: 'roleName' })
      return
    }
    await onSaved()
    onClose()
  }

  return (
    <FormDialog
      title={role === undefined ? t.addTitle : t.renameTitle}
      about={role?.roleCode ?? ''}
      form={form}
      onSubmit={save}
      onClose={onClose}
      submitLabel={t.save}
    >
      <FormGrid columns={1}>
        <BoundText name="roleName" label={fields.roleName} autoComplete="off" isRequired />
        <BoundText name="roleNameEn" label={fields.roleNameEn} autoComplete="off" isRequired />
      </FormGrid>
    </FormDialog>
  )
}
