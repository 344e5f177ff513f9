import type { Transaction } from 'kysely'
import { refuse } from '../../../../contract/errors.ts'
import { catalogues } from '../../../../contract/messages/index.ts'
import { APPROVAL } from '../../../../contract/users.ts'
import {
  type checkImport as checking,
  IMPORT_PREVIEWED,
  type importUsers as endpoint,
} from '../../../../contract/users/import.ts'
import { DEADLOCK, mapConstraintErrors } from '../../../db/constraints.ts'
import type { Database } from '../../../db/types.ts'
import type { Handler } from '../../../http/handler.ts'
import { refuseErasedIds } from '../../../services/erased-ids.ts'
import { ERRORS_SHOWN } from '../../../services/import-rows.ts'
import { nobodysPassword } from '../../../services/password.ts'
import { checkRows, type ImportUser } from './import-check.ts'
import { holdRolesAndPartners } from './import-choices.ts'
import {
  ACCOUNT_CONSTRAINTS,
  lockVerifiedPassword,
  type Invited,
  verifyOwnPassword,
  sendInvitations,
} from '../../account/index.ts'

/** Rows per insert: PostgreSQL accepts 65,535 values. */
const ROWS_PER_INSERT = 1000

/** Checks an import (rules/users#import-check). Writes nothing. */
export const checkImport: Handler<typeof checking> = async (call, { rows }) => {
  const { db, actor, services, language } = call
  const { users, errors, owners, nameOf } = await checkRows(
    db,
    actor,
    rows,
    catalogues[language],
    services.keySecret,
  )
  call.touches(owners)
  return {
    rowCount: rows.length,
    errorCount: errors.length,
    errors: errors.slice(0, ERRORS_SHOWN),
    preview: users.slice(0, IMPORT_PREVIEWED).map((user) => ({
      userId: user.userId,
      name: user.name,
      affiliationName: nameOf(user.affiliationCode, language),
      position: user.position,
      phoneNumber: user.phoneNumber,
      email: user.email,
      roleName: nameOf(user.roleCode, language),
      partnerCode: user.partnerCode,
      validFrom: user.validFrom,
      validTo: user.validTo,
    })),
  }
}

/**
 * Registers all rows or none in one transaction, after it repeats all checks. The accounts have no usable password: their owners are
 * invited to choose one (rules/users#import).
 */
export const importUsers: Handler<typeof endpoint> = async (call, { rows, managerPassword }) => {
  const { db, actor, services, language } = call
  const managerHash = await verifyOwnPassword(call, managerPassword)
  if (services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
  const hash = await services.passwords.hash(nobodysPassword())

  await db.transaction().execute(async (tx) => {
    await lockVerifiedPassword(tx, actor.id, managerHash)
    const { users, errors } = await checkRows(tx, actor, rows, catalogues[language], services.keySecret)
    if (errors.length > 0) refuse('IMPORT_INVALID')
    await holdRolesAndPartners(tx, actor, {
      roles: users.map(({ roleCode }) => roleCode),
      partners: users.map(({ partnerId }) => partnerId),
    })
    const made = await insertAll(tx, users, hash, language)
    const ids = made.map(({ userId }) => userId)
    await refuseErasedIds(tx, services.keySecret, ids, 'IMPORT_INVALID')
    await sendInvitations(
      tx,
      services,
      made.map((user) => ({ ...user, language })),
      call.requester,
    )
    await call.audit(tx, {
      target: 'users',
      detail: {
        rows: users.length,
        users: users.map(({ userId, roleCode }) => [userId, roleCode]),
      },
      records: made.map(({ id }) => `user/${id}` as const),
    })
  })
  services.mail.wake()
  return { rowCount: rows.length }
}

async function insertAll(
  tx: Transaction<Database>,
  users: readonly ImportUser[],
  hash: string,
  language: 'ko' | 'en',
): Promise<Omit<Invited, 'language'>[]> {
  const made: Omit<Invited, 'language'>[] = []
  const rows = users.map((user) => ({
    login_id: user.userId,
    password_hash: hash,
    name: user.name,
    position: user.position,
    phone_number: user.phoneNumber,
    email: user.email,
    affiliation_code: user.affiliationCode,
    role_code: user.roleCode,
    approval_code: APPROVAL.approved,
    valid_from: user.validFrom,
    valid_to: user.validTo,
    partner_id: user.partnerId,
    language,
  }))
  // Another call took an ID or email since the check, or another import takes it concurrently. The next check shows the row.
  const codes = Object.fromEntries(
    [...Object.keys(ACCOUNT_CONSTRAINTS), DEADLOCK].map((name) => [name, 'IMPORT_INVALID'] as const),
  )
  for (let first = 0; first < rows.length; first += ROWS_PER_INSERT) {
    const some = await mapConstraintErrors(codes, () =>
      tx
        .insertInto('users')
        .values(rows.slice(first, first + ROWS_PER_INSERT))
        .returning(['id', 'login_id as userId', 'email'])
        .execute(),
    )
    made.push(...some)
  }
  return made
}
