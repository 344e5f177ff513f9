import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { can, canChangeRole, fitsSpan, type FunctionName, ROLE } from '../../../contract/permissions.ts'
import type * as contract from '../../../contract/roles.ts'
import type { Tx } from '../../db/database.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { FOREIGN_KEY, mapConstraintErrors } from '../../db/constraints.ts'
import { endFormerControlOf } from './former-controllers.ts'
import { grantDetail } from './grant-records.ts'
import { isInUse, lockRole, type RoleState, stateOf } from './queries.ts'

/** Refusals of a name that another role has, by the constraint. */
const TAKEN_NAMES = { roles_group_name_key: 'ROLE_NAME_TAKEN', roles_name_en: 'ROLE_NAME_TAKEN' } as const

/**
 * Writes the audit row of a role with its state before and after a change (null if there is none), and without details
 * if they are equal.
 * @param grant further details of a grant
 */
function record(
  call: Call,
  tx: Tx,
  target: string,
  before: RoleState | null,
  after: RoleState | null,
  grant: object = {},
): Promise<void> {
  const detail = isDeepStrictEqual(before, after) ? {} : { before, after, ...grant }
  return call.audit(tx, { target, detail, records: [`role/${target}`] })
}

/**
 * Adds a role with permissions that the caller has, with an audit row, and returns its code, which is never used again.
 * @throws {Refusal} FORBIDDEN if the caller lacks one of the permissions; ROLE_OF_BRANCH if a branch role may not have
 * one; ROLE_NAME_TAKEN
 */
export const createRole: Handler<typeof contract.createRole> = async (
  call,
  { span, functions, ...names },
) => {
  if (functions.some((name) => !can(call.actor, name))) refuse('FORBIDDEN', { raisesRights: true })
  if (functions.some((name) => !fitsSpan(span, name))) refuse('ROLE_OF_BRANCH')
  const roleCode = await call.db.transaction().execute(async (tx) => {
    const { code } = await mapConstraintErrors(TAKEN_NAMES, () =>
      tx
        .insertInto('roles')
        .values({
          code: sql<string>`'AUT' || lpad(nextval('role_number')::text, 3, '0')`,
          groupName: names.roleName,
          nameEn: names.roleNameEn,
          span,
          sortOrder: sql<number>`(select max(sort_order) + 1 from roles)`,
        })
        .returning('code')
        .executeTakeFirstOrThrow(),
    )
    if (functions.length > 0) {
      const rows = [...new Set(functions)].map((functionName) => ({ roleCode: code, functionName }))
      await tx.insertInto('roleFunctions').values(rows).execute()
    }
    await record(call, tx, code, null, await stateOf(tx, code))
    return code
  })
  return { roleCode }
}

/**
 * Renames a role, with an audit row. Its members and permissions stay.
 * @throws {Refusal} ROLE_BUILT_IN, ROLE_NAME_TAKEN, and as `lockRole`
 */
export const renameRole: Handler<typeof contract.renameRole> = (call, { roleCode, ...names }) =>
  call.db.transaction().execute(async (tx) => {
    const role = await lockRole(tx, call.actor, roleCode)
    if (role.builtIn) refuse('ROLE_BUILT_IN')
    const before = await stateOf(tx, roleCode)
    await mapConstraintErrors(TAKEN_NAMES, () =>
      tx
        .updateTable('roles')
        .set({ groupName: names.roleName, nameEn: names.roleNameEn })
        .where('code', '=', roleCode)
        .execute(),
    )
    await record(call, tx, roleCode, before, await stateOf(tx, roleCode))
  })

/**
 * Deletes a role that no user has (rules/roles#rename-and-remove).
 * @throws {Refusal} as `removeRoleIn`
 */
export const removeRole: Handler<typeof contract.removeRole> = (call, { roleCode }) =>
  call.db.transaction().execute((tx) => removeRoleIn(tx, call, roleCode))

/**
 * Deletes a role without members and writes its audit row. Withdrawn accounts, whose rows stay, get the role 일반 사용자
 * instead.
 * @param said audit details in addition to the previous state of the role
 * @throws {Refusal} ROLE_BUILT_IN, ROLE_IN_USE, and as `lockRole`
 */
export async function removeRoleIn(
  tx: Tx,
  call: Pick<Call<typeof contract.removeRole>, 'actor' | 'audit'>,
  roleCode: string,
  said: Record<string, unknown> = {},
): Promise<void> {
  const role = await lockRole(tx, call.actor, roleCode)
  if (role.builtIn) refuse('ROLE_BUILT_IN')
  if (await isInUse(tx, roleCode)) refuse('ROLE_IN_USE')
  const before = await stateOf(tx, roleCode)
  await tx
    .updateTable('users')
    .set({ roleCode: ROLE.user })
    .where('roleCode', '=', roleCode)
    .where('withdrawnAt', 'is not', null)
    .execute()
  // A withdrawn member may have been restored since the check.
  await mapConstraintErrors({ [FOREIGN_KEY]: 'ROLE_IN_USE' }, () =>
    tx.deleteFrom('roles').where('code', '=', roleCode).execute(),
  )
  await call.audit(tx, {
    target: roleCode,
    detail: { before, after: null, ...said },
    records: [`role/${roleCode}`],
  })
}

/**
 * Grants a permission to a role, with an audit row. It applies from the next call of each member.
 * @throws {Refusal} as `changeFunctions`
 * @throws {InputRefusal} as `grantDetail`
 */
export const grantFunction: Handler<typeof contract.grantFunction> = (
  call,
  { roleCode, functionName, ...given },
) =>
  changeFunctions(
    call,
    { roleCode, functionName, grant: () => grantDetail(call, given) },
    async (tx, row) => {
      const added = await tx
        .insertInto('roleFunctions')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return added.numInsertedOrUpdatedRows === 1n
    },
  )

/**
 * Revokes a permission of a role, with an audit row. It applies from the next call of each member.
 * @throws {Refusal} as `changeFunctions`
 */
export const revokeFunction: Handler<typeof contract.revokeFunction> = (call, change) =>
  changeFunctions(call, change, async (tx, row) => {
    const { numDeletedRows } = await tx
      .deleteFrom('roleFunctions')
      .where('roleCode', '=', row.roleCode)
      .where('functionName', '=', row.functionName)
      .executeTakeFirst()
    return numDeletedRows === 1n
  })

/**
 * Changes a permission (`functionName`) of a role if `canChangeRole` allows it. 관리자 keeps every permission. Ends the
 * access of former controllers of the role's users (rules/roles#former-controllers), writes the audit row, and wakes
 * the mail job.
 * @param grant returns further audit details
 * @param write writes the change, and returns whether it changed anything
 * @throws {Refusal} FORBIDDEN; ROLE_FIXED for 관리자; ROLE_OF_BRANCH if a branch role may not have the permission;
 * RECORD_CHANGED if `write` changed nothing; and as `lockRole`
 */
async function changeFunctions(
  call: Call<typeof contract.grantFunction | typeof contract.revokeFunction>,
  { roleCode, functionName, grant }: { roleCode: string; functionName: FunctionName; grant?: () => object },
  write: (tx: Tx, row: { roleCode: string; functionName: FunctionName }) => Promise<boolean>,
): Promise<void> {
  const { actor, db } = call
  // The caller can grant only their own permissions. Checked before the role, so that the error is the same for every role.
  if (!can(actor, functionName)) refuse('FORBIDDEN', { raisesRights: true })
  await db.transaction().execute(async (tx) => {
    await lockRole(tx, actor, roleCode)
    if (roleCode === ROLE.admin) refuse('ROLE_FIXED')
    const before = await stateOf(tx, roleCode)
    if (!fitsSpan(before.span, functionName)) refuse('ROLE_OF_BRANCH')
    // Checked again after the lock: the role may have gained a privileged permission during the wait.
    if (!canChangeRole(actor, before, functionName)) refuse('FORBIDDEN', { raisesRights: true })
    const row = { roleCode, functionName }
    const detail = grant?.()
    // The page of the second of two callers shows an old state. The error makes the page load the new one.
    if (!(await write(tx, row))) refuse('RECORD_CHANGED')
    const after = await stateOf(tx, roleCode)
    await endFormerControlOf(tx, call, { roleCode, ...after }, before)
    await record(call, tx, roleCode, before, after, detail)
  })
  call.services.mail.wake()
}
