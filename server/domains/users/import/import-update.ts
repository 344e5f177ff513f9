import { sql } from 'kysely'
import { refuse } from '../../../../contract/errors.ts'
import { ROLE } from '../../../../contract/permissions.ts'
import { IMPORT_PREVIEWED } from '../../../../contract/users/import.ts'
import {
  type checkUpdates as checking,
  type updateByImport as endpoint,
} from '../../../../contract/users/import-update.ts'
import { mapConstraintErrors } from '../../../db/constraints.ts'
import { toColumns } from '../../../db/column-names.ts'
import { mayLogIn } from '../../../db/sql.ts'
import type { Tx } from '../../../db/database.ts'
import type { Handler } from '../../../http/handler.ts'
import type { SignedIn } from '../../../callers/sessions.ts'
import { differences } from '../../../records/audit.ts'
import { ERRORS_SHOWN } from '../../imports/index.ts'
import { lockVerifiedPassword, verifyOwnPassword, endAccess } from '../../account/index.ts'
import { approveOpenChanges } from '../../approvals/index.ts'
import { endFormerControl, keepingAdmins, roleGrantDetail } from '../../roles/index.ts'
import { joinTeams } from '../../teams/index.ts'
import { changeOf, fieldsOf, storedValues, valuesOf } from '../record/details.ts'
import { holdRolesAndPartners } from './import-choices.ts'
import { idsOf, type PlannedUpdate, planUpdates } from './update-check.ts'

/**
 * Previews an update by a file: the errors of its rows, the users who would change, and the version that the update
 * must send (rules/users#update-check). Returns at most ERRORS_SHOWN errors and IMPORT_PREVIEWED users. Writes nothing,
 * but records the compared users in the access log.
 */
export const checkUpdates: Handler<typeof checking> = async (call, { rows }) => {
  const { updates, errors, compared, version } = await call.db
    .transaction()
    .execute((tx) => planUpdates(tx, call, rows))
  call.touches(compared)
  const wrong = new Set(errors.map(({ row }) => row))
  return {
    version,
    rowCount: rows.length,
    errorCount: errors.length,
    errors: errors.slice(0, ERRORS_SHOWN),
    userCount: updates.length,
    unchangedCount: rows.length - wrong.size - updates.length,
    users: updates
      .slice(0, IMPORT_PREVIEWED)
      .map(({ person, cells }) => ({ userId: person.loginId, name: person.name, cells })),
  }
}

/**
 * Changes all users in a file as the check showed it, or none, after the caller enters their own password. Writes an
 * audit row for each, as after the edit of one user (rules/users#update). Ends the sessions of accounts that may not
 * log in before or after it, and the access of former controllers; approves open affiliation requests of moved users.
 * @returns the number of changed users
 * @throws {Refusal} RECORD_CHANGED if anything differs from the check; IMPORT_INVALID if a row has an error;
 * BULK_NOBODY if no row changes anything; LAST_ADMIN, LAST_ADMIN_ENDS; and as `verifyOwnPassword`
 */
export const updateByImport: Handler<typeof endpoint> = async (
  call,
  { rows, version, managerPassword, ...given },
) => {
  const { db, actor, services } = call
  const managerHash = await verifyOwnPassword(call, managerPassword)
  const userCount = await db.transaction().execute(async (tx) => {
    await lockPeople(tx, actor, idsOf(rows))
    await lockVerifiedPassword(tx, actor.id, managerHash)
    const plan = await planUpdates(tx, call, rows)
    if (plan.version !== version) refuse('RECORD_CHANGED')
    if (plan.errors.length > 0) refuse('IMPORT_INVALID')
    const { updates } = plan
    if (updates.length === 0) refuse('BULK_NOBODY')
    await holdRolesAndPartners(tx, actor, {
      roles: updates.flatMap(({ columns }) => columns.roleCode ?? []),
      partners: updates.flatMap(({ columns }) => columns.partnerId ?? []),
    })
    // Another call took an employee number since the check.
    const save = () =>
      mapConstraintErrors({ users_employee_number: 'IMPORT_INVALID' }, () => saveAll(tx, updates))
    const isOfAdmins = updates.some(({ person }) => person.roleCode === ROLE.admin)
    const mayLogInNow = await (isOfAdmins ? keepingAdmins(tx, save) : save())
    await joinTeams(
      tx,
      updates.flatMap(({ person, team }) =>
        team?.teamId ? [{ userId: person.id, teamId: team.teamId }] : [],
      ),
    )
    // Sessions of an account that may no longer log in end permanently: no later extension makes them valid again.
    const ended = updates.filter(({ person }) => !person.mayLogIn || !mayLogInNow.has(person.id))
    await endAccess(tx, ...ended.map(({ person }) => person.id))
    await endFormerControl(
      tx,
      call,
      updates.map(({ person: { id, roleCode: before, isBound, isOutside }, columns }) => ({
        id,
        before,
        after: columns.roleCode ?? before,
        isMoved: isBound && columns.affiliationCode !== undefined,
        wasOutside: isOutside,
      })),
    )
    const moved = updates.filter(({ columns }) => columns.affiliationCode !== undefined)
    await approveOpenChanges(
      tx,
      moved.map(({ person }) => person.id),
      { deciderId: actor.id, settings: services.settings },
    )
    await call.auditEach(
      tx,
      updates.map(({ person, columns, values, team }) => ({
        id: person.id,
        target: person.loginId,
        detail: {
          ...changeOf(fieldsOf(call), person, { employeeNumber: person.employeeNumber, values }).audited,
          ...differences(person, { ...columns, ...(team && { teamName: team.teamName }) }),
          ...(columns.roleCode !== undefined &&
            roleGrantDetail(call, { ...given, roleCode: columns.roleCode }, person.roleCode)),
          ...(columns.affiliationCode !== undefined && person.isBound && { branchRole: person.roleCode }),
        },
      })),
    )
    return updates.length
  })
  services.mail.wake()
  return { userCount }
}

/**
 * Locks the users in a file and the manager in the order of their IDs, as every change of users does. Otherwise two
 * managers who are in each other's files could cause a deadlock.
 */
async function lockPeople(tx: Tx, actor: SignedIn, userIds: readonly string[]): Promise<void> {
  await tx
    .selectFrom('users')
    .select('id')
    .where('loginId', '=', sql<string>`any(${[...userIds, actor.userId]}::text[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/**
 * Writes the changes of all users in one statement.
 * @returns users.id of those who may log in after the change
 */
async function saveAll(tx: Tx, updates: readonly PlannedUpdate[]): Promise<ReadonlySet<string>> {
  const people = updates.map(({ person, columns, values }) => {
    const {
      id,
      employeeNumber,
      name,
      position,
      phoneNumber,
      affiliationCode,
      roleCode,
      partnerId,
      validFrom,
      validTo,
    } = person
    const present = { name, position, phoneNumber, affiliationCode, roleCode, partnerId }
    const customValues = JSON.parse(storedValues({ ...valuesOf(person), ...values }))
    return toColumns({ id, ...present, validFrom, validTo, employeeNumber, ...columns, customValues })
  })
  const { rows } = await sql<{ id: string; mayLogIn: boolean }>`
    update users as u set name = c.name, position = c.position, phone_number = c.phone_number,
      affiliation_code = c.affiliation_code, role_code = c.role_code, partner_id = c.partner_id,
      valid_from = c.valid_from, valid_to = c.valid_to, employee_number = c.employee_number, custom_values = c.custom_values, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as c (id bigint, name text, position text,
      phone_number text, affiliation_code text, role_code text, partner_id bigint, valid_from date, valid_to date,
      employee_number text, custom_values jsonb)
    where u.id = c.id
    returning u.id, ${mayLogIn('u')} as may_log_in`.execute(tx)
  return new Set(rows.flatMap((row) => (row.mayLogIn ? [row.id] : [])))
}
