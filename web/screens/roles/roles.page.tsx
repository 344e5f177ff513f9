import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { listHistory } from '../../../contract/audit.ts'
import { getAuthority, listMenus } from '../../../contract/common.ts'
import {
  type Actor,
  canChangeRole,
  type FunctionName,
  FUNCTIONS,
  reaches,
  ROLE,
  SPANS,
} from '../../../contract/permissions.ts'
import {
  createRole,
  grantFunction,
  listRolesWithFunctions,
  removeRole,
  renameRole,
  revokeFunction,
  ROLE_TEMPLATES,
} from '../../../contract/roles.ts'
import { call } from '../../api/client.ts'
import { invalidate, prefetch, query, recordQuery } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { askGrantReason } from '../../forms/ask-grant-reason.tsx'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { BoundText } from '../../forms/bound-text.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { RecordStates } from '../../forms/record-states.tsx'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import { History } from '../audit/history.tsx'
import { type Role, useRoleName } from './role-names.ts'
import { useRoleTexts } from './role-texts.ts'
import layout from '../../ui/layout.module.css'
import styles from './roles.module.css'

/** Query for the roles with their permissions. */
const rolesQuery = recordQuery(listRolesWithFunctions, {})

/** Prefetches the roles with their permissions. */
export function load(): void {
  void prefetch(rolesQuery)
}

/**
 * The page /role/manage (rules/roles#grant-and-revoke): the roles with their permissions, and their history. A checkbox
 * grants (`grantFunction`) or revokes (`revokeFunction`) a permission, a button deletes a role (`removeRole`), each
 * after a question; a dialog adds or renames one. Everything is read again after a change or a refusal.
 */
export default function Roles() {
  const t = useRoleTexts()
  const { titles } = usePortalMessages()
  const nameOf = useRoleName()
  const roles = useQuery(rolesQuery)
  // The header makes this call. This page only reads its result.
  const authority = useQuery({ ...query(getAuthority, {}), enabled: false })
  const [edited, setEdited] = useState<Role | 'new'>()
  const actor = authority.data && {
    userId: authority.data.userId,
    functions: authority.data.functions,
    within: authority.data.within ?? null,
  }

  useShowRefusal(roles.error)

  /** Grants or revokes a permission of a role, after a question and, if the settings require it, the reason. */
  async function toggle(role: Role, name: FunctionName): Promise<void> {
    const isHeld = role.functions.includes(name)
    const names = [nameOf(role), t.functions[name][0]] as const
    const isAgreed = await dialogs.confirm(
      isHeld
        ? { title: t.revokeTitle, message: t.revokeText(...names) }
        : { title: t.grantTitle, message: t.grantText(...names) },
    )
    if (!isAgreed) return
    const input = { roleCode: role.roleCode, functionName: name }
    const reason = isHeld ? {} : await askGrantReason()
    if (reason === undefined) return
    await (isHeld ? call(revokeFunction, input) : call(grantFunction, { ...input, ...reason })).catch(
      showRefusal,
    )
    await refresh()
  }

  /** Deletes a role after a question. */
  async function askToRemove(role: Role): Promise<void> {
    const message = t.removeText(nameOf(role))
    if (!(await dialogs.confirm({ title: t.removeTitle, message, isDanger: true }))) return
    await call(removeRole, { roleCode: role.roleCode }).catch(showRefusal)
    await refresh()
  }

  return (
    <Page title={titles.roleManage}>
      {roles.data === undefined || actor === undefined ? (
        <RecordStates
          query={roles.isError ? roles : authority}
          title={t.matrix}
          loading={t.loading}
          failed={t.failed}
        />
      ) : (
        <Card
          title={t.matrix}
          actions={
            <Button size="small" variant="primary" onClick={() => setEdited('new')}>
              {t.add}
            </Button>
          }
        >
          <p className={layout.lead}>{t.lead}</p>
          <RoleMatrix
            roles={roles.data.roles}
            actor={actor}
            onToggle={(role, name) => void toggle(role, name)}
            onRename={setEdited}
            onRemove={(role) => void askToRemove(role)}
          />
        </Card>
      )}
      <History recordKind="role" />
      {edited !== undefined && (
        <RoleDialog
          role={edited === 'new' ? undefined : edited}
          onSaved={refresh}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  )
}

/**
 * Reads again what a change affects: roles, history, menu, and the permissions of this user. Also runs after a refused
 * change, because the page may be out of date.
 */
async function refresh(): Promise<void> {
  await Promise.all([listRolesWithFunctions, listHistory, getAuthority, listMenus].map(invalidate))
}

/** The roles, and the actions on them. */
interface MatrixProps {
  roles: readonly Role[]
  actor: Actor
  onToggle: (role: Role, name: FunctionName) => void
  onRename: (role: Role) => void
  onRemove: (role: Role) => void
}

/**
 * Shows a table of roles by permissions with checkboxes; those that the user may not change are disabled. Buttons
 * rename and delete the roles within the user's reach that are not built in.
 * @param actor the user, whose permissions limit what can be changed
 */
export function RoleMatrix({ roles, actor, onToggle, onRename, onRemove }: MatrixProps) {
  const t = useRoleTexts()
  const nameOf = useRoleName()
  return (
    <div className={styles.scroll}>
      <table className={styles.matrix} aria-label={t.matrix}>
        <thead>
          <tr>
            <th scope="col">{t.role}</th>
            {FUNCTIONS.map((name) => (
              <th key={name} scope="col" title={t.functions[name][1]}>
                {t.functions[name][0]}
              </th>
            ))}
            <th scope="col">{t.manage}</th>
          </tr>
        </thead>
        <tbody>
          {roles.map((role) => {
            const roleName = nameOf(role)
            const { functions, span } = role
            const rights = { functions, span }
            const isOwnToChange = !role.builtIn && reaches(actor, rights)
            return (
              <tr key={role.roleCode}>
                <th scope="row">
                  <span className={styles.name}>{roleName}</span>
                  <span className={styles.count}>
                    {t.users(role.userCount)}
                    {role.builtIn && <Badge>{t.builtIn}</Badge>}
                    {span === 'branch' && <Badge tone="info">{t.spans.branch}</Badge>}
                  </span>
                </th>
                {FUNCTIONS.map((name) => (
                  <td key={name}>
                    <input
                      type="checkbox"
                      aria-label={t.cell(roleName, t.functions[name][0])}
                      title={t.functions[name][1]}
                      checked={role.functions.includes(name)}
                      disabled={role.roleCode === ROLE.admin || !canChangeRole(actor, rights, name)}
                      onChange={() => onToggle(role, name)}
                    />
                  </td>
                ))}
                <td>
                  {isOwnToChange && (
                    <span className={styles.actions}>
                      <Button size="small" aria-label={t.renameOf(roleName)} onClick={() => onRename(role)}>
                        {t.rename}
                      </Button>
                      <Button
                        size="small"
                        variant="danger"
                        aria-label={t.removeOf(roleName)}
                        onClick={() => onRemove(role)}
                      >
                        {t.remove}
                      </Button>
                    </span>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** The role and the results of the dialog. */
interface DialogProps {
  /** The role to rename; without one a role is added. */
  role: Role | undefined
  onSaved: () => Promise<void>
  onClose: () => void
}

/** Templates that a new role may start from. */
const TEMPLATES = ['branch', 'security', 'auditor'] as const satisfies (keyof typeof ROLE_TEMPLATES)[]

/** Schema of the dialog. `template` is '' for no template. */
const newRole = z.strictObject({
  roleName: createRole.input.shape.roleName,
  roleNameEn: createRole.input.shape.roleNameEn,
  span: z.enum(SPANS),
  template: z.enum(['', ...TEMPLATES]),
})

/**
 * Shows the dialog that renames a role (`renameRole`), or adds one (`createRole`) with its span (the whole company or a
 * branch) and, if the user wants, the permissions of a template. A name in use (ROLE_NAME_TAKEN) is refused at its
 * field.
 */
export function RoleDialog({ role, onSaved, onClose }: DialogProps) {
  const t = useRoleTexts()
  const { fields } = usePortalMessages()
  const dialog = useDialogForm({
    schema: newRole,
    initial: {
      roleName: role?.roleName ?? '',
      roleNameEn: role?.roleNameEn ?? '',
      span: 'all',
      template: '',
    },
    async submit({ span, template, ...names }) {
      const functions = template === '' ? [] : ROLE_TEMPLATES[template].functions
      if (role === undefined) await call(createRole, { ...names, span, functions: [...functions] })
      else await call(renameRole, { roleCode: role.roleCode, ...names })
    },
    fieldOf: { ROLE_NAME_TAKEN: 'roleName' },
    onChanged: onSaved,
    onClose,
  })
  const templates = [
    { value: '', label: t.noTemplate },
    ...TEMPLATES.map((name) => ({ value: name, label: t.templates[name] })),
  ]
  return (
    <FormDialog
      {...dialog}
      title={role === undefined ? t.addTitle : t.renameTitle}
      about={role?.roleCode}
      submitLabel={t.save}
    >
      <FormGrid columns={1}>
        <BoundText name="roleName" label={fields.roleName} autoComplete="off" isRequired />
        <BoundText name="roleNameEn" label={fields.roleNameEn} autoComplete="off" isRequired />
        {role === undefined && (
          <>
            <BoundSelect
              name="template"
              label={t.template}
              choices={fixedChoices(templates)}
              placeholder={t.noTemplate}
              onChanged={(name) => {
                const template = TEMPLATES.find((one) => one === name)
                if (template !== undefined) dialog.form.setValue('span', ROLE_TEMPLATES[template].span)
              }}
            />
            <BoundSelect
              name="span"
              label={t.span}
              choices={fixedChoices(SPANS.map((span) => ({ value: span, label: t.spans[span] })))}
              description={t.spanHelp}
              isRequired
            />
          </>
        )}
      </FormGrid>
    </FormDialog>
  )
}
