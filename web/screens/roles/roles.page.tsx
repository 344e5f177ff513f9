import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listHistory } from '../../../contract/audit.ts'
import { getAuthority, listMenus } from '../../../contract/common.ts'
import type { FunctionName } from '../../../contract/permissions.ts'
import { grantFunction, listRolesWithFunctions, removeRole, revokeFunction } from '../../../contract/roles.ts'
import { invalidate, prefetch, query, recordQuery, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { useShowRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { History } from '../audit/history.tsx'
import { useRoleTexts } from './role-texts.ts'
import { RoleMatrix } from './matrix.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { type Role, useRoleName } from './role-names.ts'
import layout from '../../ui/layout.module.css'

const rolesQuery = recordQuery(listRolesWithFunctions, {})

/** Asks for the roles. */
export function load(): void {
  void prefetch(rolesQuery)
}

/** /role/manage (rules/roles#grant-and-revoke): roles against functions, and their history. */
export default function Roles() {
  const t = useRoleTexts()
  const { titles } = usePortalMessages()
  const nameOf = useRoleName()
  const roles = useQuery(rolesQuery)
  // The header makes this call. This page only reads its result.
  const authority = useQuery({ ...query(getAuthority, {}), enabled: false })
  const grant = useCall(grantFunction)
  const revoke = useCall(revokeFunction)
  const remove = useCall(removeRole)
  const [edited, setEdited] = useState<Role | 'new'>()
  const actor = authority.data && { userId: authority.data.userId, functions: authority.data.functions }

  useShowRefusal(roles.error)

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
    await change(() => (isHeld ? revoke : grant).mutateAsync(input))
  }

  async function askToRemove(role: Role): Promise<void> {
    const message = t.removeText(nameOf(role))
    if (!(await dialogs.confirm({ title: t.removeTitle, message, isDanger: true }))) return
    await change(() => remove.mutateAsync({ roleCode: role.roleCode }))
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
 * Reads everything again that a change affects, including the menu and the permissions of this page. A refused change may mean that
 * the page is out of date.
 */
async function refresh(): Promise<void> {
  await Promise.all([listRolesWithFunctions, listHistory, getAuthority, listMenus].map(invalidate))
}

async function change(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    await showRefusal(error)
  }
  await refresh()
}
