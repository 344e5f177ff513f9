import { type Kysely, sql, type Transaction } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { PROGRAM_PREFIX } from '../../../contract/fields.ts'
import * as contract from '../../../contract/keys.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { type Actor, ROLE } from '../../../contract/permissions.ts'
import { newSecret, newToken } from '../../callers/bearer-tokens.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import { dateText, orEmpty, PROGRAM, timeText, today, wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import { versionOf } from '../../db/version.ts'
import type { Handler } from '../../http/handler.ts'
import { differences } from '../../records/audit.ts'
import { nobodysPassword } from '../../services/password.ts'
import { affiliationName, requirePlaceable } from '../common/index.ts'
import { endFormerControl, grantable, holdGrantableRoles } from '../roles/index.ts'
import {
  insertToken,
  isShown,
  liveProgram,
  REVOKED,
  rightsOf,
  scopesOf,
  toNetworks,
} from './program-tokens.ts'
import { endsSoon, previousText, rotationOf, stateOf } from './tokens.ts'

/** Refusal of a name that another program account has, by the constraint. */
const NAME_TAKEN = { users_program_name: 'PROGRAM_NAME_TAKEN' } as const

/** Columns that the form of a program account edits, from `users u` and `program_accounts a`. */
const formColumns = [
  'u.name as programName',
  'u.roleCode',
  'u.affiliationCode',
  ...rightsOf('a'),
  dateText('u.validTo').as('validTo'),
  sql<boolean>`u.suspended_at is null`.as('isEnabled'),
] as const

/** Values of a program account that its form edits. */
type AccountForm = ParsedInputOf<typeof contract.createProgramAccount> & { isEnabled: boolean }

/** Returns the version of a program account, by which a change notices a concurrent one. */
const digestOf = (form: AccountForm) =>
  versionOf([
    form.programName,
    form.roleCode,
    form.affiliationCode,
    form.scopes,
    form.allowedNetworks,
    form.validTo,
    form.isEnabled,
  ])

/** Returns the query for the program accounts `a`, with their rows `u` of users, that were not deleted. */
const accounts = (db: Kysely<Database>) =>
  db
    .selectFrom('programAccounts as a')
    .innerJoin('users as u', 'u.id', 'a.userId')
    .where('u.withdrawnAt', 'is', null)

/**
 * Returns the program accounts by name with their tokens (valid, or ended at most SHOWN_DAYS ago), and the roles and
 * scopes that the caller may give (rules/keys#program-accounts). `editable` is true if the caller may grant the role of
 * the account.
 */
export const listProgramAccounts: Handler<typeof contract.listProgramAccounts> = async (call) => {
  const { db, actor, language } = call
  const rows = await accounts(db)
    .innerJoin('roles as r', 'r.code', 'u.roleCode')
    .select(formColumns)
    .select((eb) => [
      'u.id as accountId',
      language === 'ko' ? 'r.groupName as roleName' : 'r.nameEn as roleName',
      affiliationName('u.affiliationCode', language).as('affiliationName'),
      sql<(typeof contract.PROGRAM_ACCOUNT_STATES)[number]>`case when u.suspended_at is not null then 'off'
        when u.valid_to < ${today} then 'expired' when ${endsSoon(sql`(u.valid_to + 1)::timestamp at time zone 'Asia/Seoul'`)} then 'soon'
        else 'live' end`.as('state'),
      wireTime(eb.ref('u.createdAt')).as('createdAt'),
      sql<boolean>`${grantable(actor, sql.ref('u.roleCode'))} and u.role_code <> ${ROLE.admin}`.as(
        'editable',
      ),
    ])
    .orderBy(sql`lower(u.name)`)
    .orderBy('u.id')
    .execute()
  const tokens = await db
    .selectFrom('programTokens')
    .innerJoin('programAccounts as a', 'a.userId', 'programTokens.userId')
    .select((eb) => [
      'a.userId',
      'id as tokenId',
      'name as tokenName',
      stateOf({ column: 'ended_at', state: sql<'expired' | 'revoked' | 'account'>`end_reason` }).as('state'),
      wireTime(eb.ref('createdAt')).as('createdAt'),
      wireTime(eb.ref('expiresAt')).as('expiresAt'),
      previousText('endedAt').as('previousUntil'),
      timeText('lastUsedAt').as('lastUsedAt'),
      orEmpty('lastAddress').as('address'),
    ])
    .where(isShown)
    .orderBy(sql`least(ended_at, expires_at) <= now()`)
    .orderBy('id', 'desc')
    .execute()
  const roles = await db
    .selectFrom('roles')
    .select(['code', language === 'ko' ? 'groupName as codeName' : 'nameEn as codeName'])
    .where((eb) => grantable(actor, eb.ref('code')))
    .where('code', '<>', ROLE.admin)
    .orderBy('sortOrder')
    .orderBy('code')
    .execute()
  const ofAccount = Map.groupBy(tokens, ({ userId }) => userId)
  return {
    accounts: rows.map((row) => {
      const its = ofAccount.get(row.accountId) ?? []
      const lastUsedAt = its.reduce((last, token) => (token.lastUsedAt > last ? token.lastUsedAt : last), '')
      return { ...row, lastUsedAt, tokens: its, version: digestOf(row) }
    }),
    roles,
    grantableScopes: scopesOf(actor),
  }
}

/**
 * Refuses a role, affiliation or scope that the actor may not give to a program (rules/keys#program-reach). Never
 * allows 관리자. Locks the role until the transaction ends.
 * @param before role and affiliation that the account has; the actor must be able to give that role, too
 * @throws {Refusal} FORBIDDEN; CODE_NOT_FOUND; AFFILIATION_CLOSED
 */
async function requireGivable(
  tx: Transaction<Database>,
  actor: Actor,
  form: Pick<AccountForm, 'roleCode' | 'affiliationCode' | 'scopes'>,
  before?: Pick<AccountForm, 'roleCode' | 'affiliationCode'>,
): Promise<void> {
  const roles = [...new Set([form.roleCode, before?.roleCode ?? form.roleCode])]
  if (roles.includes(ROLE.admin)) refuse('FORBIDDEN', { raisesRights: true })
  await holdGrantableRoles(tx, actor, ...roles)
  const scopes = scopesOf(actor)
  if (!form.scopes.every((scope) => scopes.includes(scope))) refuse('FORBIDDEN', { raisesRights: true })
  await requirePlaceable(tx, form.affiliationCode, before?.affiliationCode)
}

/**
 * Returns the columns of users for the fields of the form. A program with the scope to issue keys gets the default
 * partner of its affiliation.
 */
const columnsOf = ({ programName, roleCode, affiliationCode, scopes, validTo }: AccountForm) => ({
  name: programName,
  roleCode,
  affiliationCode,
  partnerId: scopes.includes('keys:issue')
    ? sql<string>`(select default_partner_id from codes where group_code = 'COMBEL001' and code = ${affiliationCode})`
    : null,
  validTo: validTo === '' ? null : validTo,
})

/**
 * Registers a program account, with an audit row, and returns its ID. It has no token yet, and cannot log in; only
 * tokens give access.
 * @throws {Refusal} PROGRAM_ACCOUNTS_FULL beyond PROGRAM_ACCOUNTS_MAX; PROGRAM_NAME_TAKEN; and as `requireGivable`
 */
export const createProgramAccount: Handler<typeof contract.createProgramAccount> = async (call, form) => {
  const passwordHash = await call.services.passwords.hash(nobodysPassword())
  return call.db.transaction().execute(async (tx) => {
    // Two concurrent calls could exceed the limit.
    await sql`lock table program_accounts in share row exclusive mode`.execute(tx)
    const { n } = await accounts(tx)
      .select(sql<number>`count(*)::int`.as('n'))
      .executeTakeFirstOrThrow()
    if (n >= contract.PROGRAM_ACCOUNTS_MAX) refuse('PROGRAM_ACCOUNTS_FULL')
    await requireGivable(tx, call.actor, form)
    // No user ID or email contains a colon, so no call about a user finds the account. Its login fails as with a wrong password.
    const loginId = PROGRAM_PREFIX + newSecret().slice(0, 8).toLowerCase()
    const { id } = await mapConstraintErrors(NAME_TAKEN, () =>
      tx
        .insertInto('users')
        .values({
          ...columnsOf({ ...form, isEnabled: true }),
          loginId,
          email: loginId,
          passwordHash,
          position: '',
          phoneNumber: '',
          approvalCode: PROGRAM,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    const { scopes, allowedNetworks, programName, ...rest } = form
    await tx
      .insertInto('programAccounts')
      .values({ userId: id, scopes, allowedNetworks: toNetworks(allowedNetworks) })
      .execute()
    await call.audit(tx, { target: programName, detail: { ...rest, scopes, allowedNetworks }, records: null })
    return { accountId: id }
  })
}

/**
 * Locks a program account until the transaction ends, and returns the fields that the form edits.
 * @param accountId users.id
 * @throws {Refusal} PROGRAM_ACCOUNT_NOT_FOUND
 */
async function lockAccount(tx: Transaction<Database>, accountId: string) {
  const row = await accounts(tx)
    .select(formColumns)
    .where('u.id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? refuse('PROGRAM_ACCOUNT_NOT_FOUND')
}

/**
 * Edits, enables or disables a program account, with an audit row. Ends the tokens that former controllers may have, as
 * `endFormerControl`. Does nothing if nothing differs.
 * @throws {Refusal} RECORD_CHANGED if the account changed since `version`; PROGRAM_NAME_TAKEN; and as `lockAccount` and
 * `requireGivable`
 */
export const updateProgramAccount: Handler<typeof contract.updateProgramAccount> = async (call, input) => {
  const { accountId, version, ...form } = input
  await call.db.transaction().execute(async (tx) => {
    const before = await lockAccount(tx, accountId)
    await requireGivable(tx, call.actor, form, before)
    if (digestOf(before) !== version) refuse('RECORD_CHANGED')
    const detail = differences(before, form)
    if (Object.keys(detail).length === 0) return
    await mapConstraintErrors(NAME_TAKEN, () =>
      tx
        .updateTable('users')
        .set({
          ...columnsOf(form),
          ...(form.isEnabled !== before.isEnabled && { suspendedAt: form.isEnabled ? null : sql`now()` }),
          updatedAt: sql`now()`,
        })
        .where('id', '=', accountId)
        .execute(),
    )
    await tx
      .updateTable('programAccounts')
      .set({ scopes: form.scopes, allowedNetworks: toNetworks(form.allowedNetworks) })
      .where('userId', '=', accountId)
      .execute()
    await endFormerControl(tx, call, [{ id: accountId, before: before.roleCode, after: form.roleCode }])
    await call.audit(tx, { target: before.programName, detail, records: null })
  })
  return {}
}

/**
 * Deletes a program account, with an audit row: ends its tokens, and marks its row as withdrawn, because records name
 * it.
 * @throws {Refusal} as `lockAccount`; FORBIDDEN for a role that the caller may not grant
 */
export const deleteProgramAccount: Handler<typeof contract.deleteProgramAccount> = async (
  call,
  { accountId },
) => {
  await call.db.transaction().execute(async (tx) => {
    const { programName, roleCode } = await lockAccount(tx, accountId)
    await holdGrantableRoles(tx, call.actor, roleCode)
    await tx
      .updateTable('programTokens')
      .set({ endedAt: sql`now()`, endReason: 'account' })
      .where('userId', '=', accountId)
      .where('endedAt', 'is', null)
      .execute()
    await tx
      .updateTable('users')
      .set({ withdrawnAt: sql`now()`, withdrawnBy: call.actor.id, partnerId: null, updatedAt: sql`now()` })
      .where('id', '=', accountId)
      .execute()
    await call.audit(tx, { target: programName, detail: { roleCode }, records: null })
  })
  return {}
}

/**
 * Creates a token of a program account, with an audit row. Only this response ever contains it.
 * @throws {Refusal} PROGRAMS_FULL, PROGRAM_NAME_TAKEN as `insertToken`; and as `lockAccount` and `requireGivable`
 */
export const createAccountToken: Handler<typeof contract.createAccountToken> = (call, input) =>
  call.db.transaction().execute(async (tx) => {
    const { accountId, tokenName: name, validDays } = input
    const { programName, ...account } = await lockAccount(tx, accountId)
    await requireGivable(tx, call.actor, account, account)
    const { id, token } = await insertToken(tx, { userId: accountId, name, validDays })
    await call.audit(tx, { target: id, detail: { name, programName, validDays }, records: null })
    return { tokenId: id, programToken: token }
  })

/**
 * Returns users.id of the program account of a token.
 * @throws {Refusal} PROGRAM_NOT_FOUND, also for a token of a user
 */
async function accountOf(tx: Transaction<Database>, tokenId: string): Promise<string> {
  const row = await tx
    .selectFrom('programTokens as t')
    .innerJoin('programAccounts as a', 'a.userId', 't.userId')
    .select('t.userId')
    .where('t.id', '=', tokenId)
    .executeTakeFirst()
  return row === undefined ? refuse('PROGRAM_NOT_FOUND') : row.userId
}

/**
 * Replaces a token of a program account by a new one with a new expiry, with an audit row; the old one stays valid for
 * the overlap (rules/keys#token-rollover). Only this response ever contains the new one.
 * @throws {Refusal} PROGRAM_NOT_FOUND, also if it has expired or was revoked; and as `requireGivable`
 */
export const rollAccountToken: Handler<typeof contract.rollAccountToken> = (call, { tokenId, ...days }) =>
  call.db.transaction().execute(async (tx) => {
    const { programName, ...account } = await lockAccount(tx, await accountOf(tx, tokenId))
    await requireGivable(tx, call.actor, account, account)
    const token = newToken('program')
    const row = await liveProgram(tx, tokenId)
      .set(rotationOf(token, days))
      .returning('name')
      .executeTakeFirst()
    if (row === undefined) return refuse('PROGRAM_NOT_FOUND')
    await call.audit(tx, { target: tokenId, detail: { name: row.name, programName, ...days }, records: null })
    return { programToken: token }
  })

/**
 * Revokes a token of a program account, also of one whose role the caller may not grant, with an audit row. The next
 * call with it fails.
 * @throws {Refusal} PROGRAM_NOT_FOUND, also if it has expired or was revoked
 */
export const revokeAccountToken: Handler<typeof contract.revokeAccountToken> = async (call, { tokenId }) => {
  await call.db.transaction().execute(async (tx) => {
    const { programName } = await lockAccount(tx, await accountOf(tx, tokenId))
    const row = await liveProgram(tx, tokenId).set(REVOKED).returning('name').executeTakeFirst()
    if (row === undefined) return refuse('PROGRAM_NOT_FOUND')
    await call.audit(tx, { target: tokenId, detail: { name: row.name, programName }, records: null })
  })
  return {}
}
