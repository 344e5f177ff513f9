import { type Transaction, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { can, canChangeRole, type FunctionName, ROLE } from '../../../contract/permissions.ts'
import type * as contract from '../../../contract/roles.ts'
import type { Database } from '../../db/types.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { FOREIGN_KEY, mapConstraintErrors } from '../../db/constraints.ts'
import { endFormerControlOf } from './former-controllers.ts'
import { isInUse, lockRole, type RoleState, stateOf } from './queries.ts'

const TAKEN_NAMES = { roles_group_name_key: 'ROLE_NAME_TAKEN', roles_name_en: 'ROLE_NAME_TAKEN' } as const

/** Writes what a role was and is; its history tells what differs. */
function record(
  call: Call,
  tx: Transaction<Database>,
  target: string,
  before: RoleState | null,
  after: RoleState | null,
): Promise<void> {
  return call.audit(tx, { target, detail: { before, after } })
}

/** Adds a role; it may do nothing until functions are granted. Its code is never given again. */
export const createRole: Handler<typeof contract.createRole> = async (call, names) => {
  const roleCode = await call.db.transaction().execute(async (tx) => {
    const { code } = await mapConstraintErrors(TAKEN_NAMES, () =>
      tx
        .insertInto('roles')
        .values({
          code: sql<string>`'AUT' || lpad(nextval('role_number')::text, 3, '0')`,
          group_name: names.roleName,
          name_en: names.roleNameEn,
          sort_order: sql<number>`(select max(sort_order) + 1 from roles)`,
        })
        .returning('code')
        .executeTakeFirstOrThrow(),
    )
    await record(call, tx, code, null, await stateOf(tx, code))
    return code
  })
  return { roleCode }
}

/** Renames a role; its members and functions stay. */
export const renameRole: Handler<typeof contract.renameRole> = async (call, { roleCode, ...names }) => {
  await call.db.transaction().execute(async (tx) => {
    const role = await lockRole(tx, call.actor, roleCode)
    if (role.built_in) refuse('ROLE_BUILT_IN')
    const before = await stateOf(tx, roleCode)
    await mapConstraintErrors(TAKEN_NAMES, () =>
      tx
        .updateTable('roles')
        .set({ group_name: names.roleName, name_en: names.roleNameEn })
        .where('code', '=', roleCode)
        .execute(),
    )
    await record(call, tx, roleCode, before, await stateOf(tx, roleCode))
  })
  return {}
}

/** Removes a role that nobody has. */
export const removeRole: Handler<typeof contract.removeRole> = async (call, { roleCode }) => {
  await call.db.transaction().execute((tx) => removeRoleIn(tx, call, roleCode))
  return {}
}

/**
 * Removes a role that nobody has. Withdrawn accounts, whose rows stay, fall back to 일반 사용자.
 * @param said what the trail says beside what the role was
 */
export async function removeRoleIn(
  tx: Transaction<Database>,
  call: Pick<Call<typeof contract.removeRole>, 'actor' | 'audit'>,
  roleCode: string,
  said: Record<string, unknown> = {},
): Promise<void> {
  const role = await lockRole(tx, call.actor, roleCode)
  if (role.built_in) refuse('ROLE_BUILT_IN')
  if (await isInUse(tx, roleCode)) refuse('ROLE_IN_USE')
  const before = await stateOf(tx, roleCode)
  await tx
    .updateTable('users')
    .set({ role_code: ROLE.user })
    .where('role_code', '=', roleCode)
    .where('withdrawn_at', 'is not', null)
    .execute()
  // Somebody who has it may have been restored since.
  await mapConstraintErrors({ [FOREIGN_KEY]: 'ROLE_IN_USE' }, () =>
    tx.deleteFrom('roles').where('code', '=', roleCode).execute(),
  )
  await call.audit(tx, { target: roleCode, detail: { before, after: null, ...said } })
}

/** Grants a function to a role, from the next call of everybody who has it. */
export const grantFunction: Handler<typeof contract.grantFunction> = async (call, change) => {
  await changeFunctions(call, change, async (tx, row) => {
    const added = await tx
      .insertInto('role_functions')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return added.numInsertedOrUpdatedRows === 1n
  })
  return {}
}

/** Takes a function from a role. */
export const revokeFunction: Handler<typeof contract.revokeFunction> = async (call, change) => {
  await changeFunctions(call, change, async (tx, row) => {
    const { numDeletedRows } = await tx
      .deleteFrom('role_functions')
      .where('role_code', '=', row.role_code)
      .where('function_name', '=', row.function_name)
      .executeTakeFirst()
    return numDeletedRows === 1n
  })
  return {}
}

/**
 * The rule of both is `canChangeRole`; 관리자 keeps every function.
 * @param write whether it changed anything
 */
async function changeFunctions(
  call: Call<typeof contract.grantFunction | typeof contract.revokeFunction>,
  { roleCode, functionName }: { roleCode: string; functionName: FunctionName },
  write: (
    tx: Transaction<Database>,
    row: { role_code: string; function_name: FunctionName },
  ) => Promise<boolean>,
): Promise<void> {
  const { actor, db } = call
  // What is not one's own is refused whatever role is named.
  if (!can(actor, functionName)) refuse('FORBIDDEN', { raisesRights: true })
  await db.transaction().execute(async (tx) => {
    await lockRole(tx, actor, roleCode)
    if (roleCode === ROLE.admin) refuse('ROLE_FIXED')
    const before = await stateOf(tx, roleCode)
    // Asked again of the locked role: it may have gained a power while this one waited for it.
    if (!canChangeRole(actor, before, functionName)) refuse('FORBIDDEN', { raisesRights: true })
    const row = { role_code: roleCode, function_name: functionName }
    // The second of two sees an old state on their page: they are told, and the page shows the new one.
    if (!(await write(tx, row))) refuse('RECORD_CHANGED')
    const after = await stateOf(tx, roleCode)
    await endFormerControlOf(tx, call, { roleCode, functions: after.functions }, before.functions)
    await record(call, tx, roleCode, before, after)
  })
  call.services.mail.wake()
}
