import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { FormProvider, useForm } from 'react-hook-form'
import { createRole, renameRole } from '../../../contract/roles.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { useCall } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions, FormGrid } from '../../ui/form-grid.tsx'
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
  const { roles: t, fields } = usePortalMessages()
  const create = useCall(createRole)
  const rename = useCall(renameRole)
  const form = useForm<Names>({
    defaultValues: { roleName: role?.roleName ?? '', roleNameEn: role?.roleNameEn ?? '' },
    resolver: standardSchemaResolver(createRole.input),
    mode: 'onTouched',
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
    <Dialog title={role === undefined ? t.addTitle : t.renameTitle} closeLabel={t.close} onClose={onClose}>
      <FormProvider {...form}>
        <form noValidate onSubmit={(event) => void form.handleSubmit(save)(event)}>
          <FormGrid columns={1}>
            <BoundText<Names> name="roleName" label={fields.roleName} autoComplete="off" isRequired />
            <BoundText<Names> name="roleNameEn" label={fields.roleNameEn} autoComplete="off" isRequired />
          </FormGrid>
          <FormActions>
            <Button onClick={onClose}>{t.cancel}</Button>
            <Button type="submit" variant="primary" isPending={create.isPending || rename.isPending}>
              {t.save}
            </Button>
          </FormActions>
        </form>
      </FormProvider>
    </Dialog>
  )
}
