import { type RawBuilder, sql } from 'kysely'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { scimRequests } from '../../../contract/scim-requests.ts'
import type { Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { refuseScim } from '../../http/scim-failure.ts'
import { nobodysPassword } from '../../services/password.ts'
import { endAccount, rightsEnd, rightsReturn } from '../users/index.ts'
import { type Attributes, change, noAttributes } from './attributes.ts'
import { saveUserChanges, type ScimCall, suspend } from './changes.ts'
import { createAccount, ExistingAccount, findWithdrawn, restoreAccount, storeCandidate } from './create.ts'
import { countEnding } from './endings.ts'
import { toCondition, type Filterables } from './filter.ts'
import { parseFilter, URN } from './paths.ts'
import { parsePatch, stepsOf } from './patch.ts'
import {
  findManaged,
  linkAccount,
  lockManaged,
  lockProvider,
  type LockedProvider,
  type ManagedUser,
  queryManagedAccounts,
  rememberEnding,
  USER_FILTERS,
  queryUserResources,
} from './queries.ts'
import { mergeAttributes, readSentAttributes, project, userResource } from './resource.ts'

/** Endpoint of the requests that change a user. */
type Request = typeof scimRequests.changeUser
/** Parsed input of such a request. */
type Input = ParsedInputOf<Request>

/** Most resources of one page. */
const MAX_COUNT = 200
/** Resources of a page for which the client requests no number. */
const USUAL_COUNT = 100

/** Highest index of a list; a higher one has the same result. */
const MAX_INDEX = 1_000_000_000

/**
 * Returns the number in a query parameter, at most MAX_INDEX; `usual` without one.
 * @throws {ScimRefusal} invalidValue for a text that is no number
 */
const readInteger = (text: string, usual: number, name: string) => {
  if (text === '') return usual
  return /^[+-]?\d+$/.test(text)
    ? Math.min(Number(text), MAX_INDEX)
    : refuseScim('invalidValue', `${name} is not a number`)
}

/**
 * Returns the first index of the requested page, from 1, and its size, at most MAX_COUNT and USUAL_COUNT by default. A
 * lower index is 1, and a negative size 0.
 * @throws {ScimRefusal} invalidValue for a text that is no number
 */
export function pageOf({ startIndex, count }: Pick<Input, 'startIndex' | 'count'>) {
  const first = Math.max(1, readInteger(startIndex, 1, 'startIndex'))
  return { first, size: Math.min(MAX_COUNT, Math.max(0, readInteger(count, USUAL_COUNT, 'count'))) }
}

/** Returns the body of a list response. */
export const listOf = (resources: Record<string, unknown>[], startIndex: number, totalResults: number) => ({
  schemas: [URN.list],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

/**
 * Returns the SQL condition of a filter; true without a filter.
 * @throws {ScimRefusal} invalidFilter
 */
export const filteredBy = (filter: string, attributes: Filterables): RawBuilder<boolean> =>
  filter.trim() === '' ? sql<boolean>`true` : toCondition(parseFilter(filter), attributes)

/**
 * Returns a page of the users whom the provider manages and a filter matches, and the number of all of these. Records the shown
 * ones as data subjects.
 * @throws {ScimRefusal} invalidFilter; invalidValue for an invalid page
 */
const listUsers: Handler<typeof scimRequests.listUsers> = async (call, input) => {
  const { db, actor } = call
  const condition = filteredBy(input.filter, USER_FILTERS)
  const { first, size } = pageOf(input)
  const { total } = await queryManagedAccounts(db, actor.providerId)
    .where(condition)
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  const users = await queryUserResources(db, actor.providerId)
    .where(condition)
    .orderBy('s.userId')
    .limit(size)
    .offset(first - 1)
    .execute()
  call.touches(users.map(({ id }) => id))
  const resources = users.map((user) => project(userResource(user, input.base), input))
  return { status: 200, resource: listOf(resources, first, total) }
}

/**
 * Returns a user whom the provider manages, as a data subject of the call.
 * @throws {Refusal} USER_NOT_FOUND as `findManaged`
 */
const getUser: Handler<typeof scimRequests.getUser> = async (call, input) => {
  const user = await findManaged(call.db, call.actor.providerId, input.id)
  call.touches([user.id])
  return { status: 200, resource: project(userResource(user, input.base), input) }
}

/** Hash of a random password that is not stored, for the accounts that this process creates: hashing takes long. */
let passwordHash: Promise<string> | undefined

/** Most attempts to create an account whose login ID another transaction takes first. */
const MAX_TRIES = 3

/**
 * Creates an account for a user, or restores one that the provider withdrew, with audit rows, and wakes the mail job. Suspends
 * it if the request is not active. An account that exists becomes a candidate, and the request is refused.
 * @throws {ScimRefusal} uniqueness (409) for an account that exists; and as `stepsOf`, `change`, `findWithdrawn` and
 * `createAccount`
 * @throws {Refusal} USER_ID_TAKEN or EMPLOYEE_NUMBER_TAKEN after MAX_TRIES; EMAIL_TAKEN; and as `restore` and `suspend`
 */
const createUser: Handler<typeof scimRequests.createUser> = async (call, input) => {
  const { db, actor, services } = call
  const attributes = noAttributes()
  for (const step of stepsOf('replace', input.body)) change(attributes, step)
  passwordHash ??= services.passwords.hash(nobodysPassword()).catch((error: unknown) => {
    passwordHash = undefined
    throw error
  })
  const hash = await passwordHash
  const create = () =>
    db.transaction().execute(async (tx) => {
      const provider = await lockProvider(tx, actor.providerId)
      const withdrawn = await findWithdrawn(tx, provider.id, attributes)
      if (withdrawn !== undefined) return restore(tx, call, { provider, id: withdrawn, attributes })
      const { id, loginId, detail } = await createAccount(tx, call, {
        provider,
        attributes,
        passwordHash: hash,
      })
      await call.auditAs('user.register', tx, { target: loginId, detail, records: [`user/${id}`] })
      if (!attributes.active) await suspend(tx, call, provider, await findManaged(tx, provider.id, id))
      return findManaged(tx, provider.id, id)
    })
  for (let tries = 1; ; tries += 1) {
    try {
      const user = await create()
      call.touches([user.id])
      services.mail.wake()
      return { status: 201, resource: project(userResource(user, input.base), input) }
    } catch (error) {
      if (error instanceof ExistingAccount) await refuseExisting(call, error, attributes)
      // A concurrent call took the ID or the employee number since the search for a free one.
      const isTaken =
        error instanceof Refusal && ['USER_ID_TAKEN', 'EMPLOYEE_NUMBER_TAKEN'].includes(error.code)
      if (!isTaken || tries === MAX_TRIES) throw error
    }
  }
}

/**
 * Stores an account that exists as a candidate that an administrator may let the provider adopt, and refuses to create
 * it.
 * @throws {ScimRefusal} uniqueness (409) always
 */
async function refuseExisting(
  call: ScimCall,
  { userId }: ExistingAccount,
  { userName, externalId }: Attributes,
): Promise<never> {
  await storeCandidate(call.db, call.actor.providerId, { userId, userName, externalId })
  call.touches([userId])
  const detail =
    'an account with this email or identity exists; an administrator can let the provider adopt it'
  return refuseScim('uniqueness', detail, 409)
}

/**
 * Restores an account whose provider withdrew it and now creates it again, with the attributes of the request. Writes the audit
 * rows. Suspends it if the request is not active.
 * @returns the account
 * @throws {Refusal} as `restoreAccount`, `saveUserChanges` and `suspend`
 */
async function restore(
  tx: Tx,
  call: ScimCall,
  { provider, id, attributes }: { provider: LockedProvider; id: string; attributes: Attributes },
): Promise<ManagedUser> {
  await restoreAccount(tx, id)
  const user = await lockManaged(tx, provider.id, id)
  await call.auditAs('user.restore', tx, {
    target: user.loginId,
    detail: rightsReturn(user),
    records: [`user/${id}`],
  })
  await saveUserChanges(tx, call, provider, {
    user,
    before: readSentAttributes(user),
    after: attributes,
    isBack: true,
  })
  if (!attributes.active) await suspend(tx, call, provider, user)
  return findManaged(tx, provider.id, id)
}

/**
 * Returns the handler that replaces a user (PUT), or changes it (PATCH), with audit rows, and wakes the mail job. A
 * user who is no longer active is suspended and counts as `countEnding`; one who is active again loses a suspension by
 * SCIM.
 * @param apply returns the attributes before and after the request; its refusals are those of the handler
 * @throws {Refusal} by the handler: as `lockProvider`, `lockManaged`, `saveUserChanges`, `countEnding` and `suspend`
 */
const changeUser =
  (apply: (user: ManagedUser, input: Input) => { before: Attributes; after: Attributes }): Handler<Request> =>
  async (call, input) => {
    const { db, actor } = call
    const saved = await db.transaction().execute(async (tx) => {
      const provider = await lockProvider(tx, actor.providerId)
      const user = await lockManaged(tx, actor.providerId, input.id)
      call.touches([user.id])
      const { before, after } = apply(user, input)
      await saveUserChanges(tx, call, provider, { user, before, after })
      if (!after.active && user.isActive) {
        await countEnding(tx, provider)
        await suspend(tx, call, provider, user)
      }
      return findManaged(tx, actor.providerId, user.id)
    })
    call.services.mail.wake()
    return { status: 200, resource: project(userResource(saved, input.base), input) }
  }

/**
 * Returns the attributes before and after a PUT, which keeps the external ID and `active` if it omits them. `before` are those
 * that the provider sent last, so values that only Maru has stay.
 * @throws {ScimRefusal} as `stepsOf` and `change`
 */
const toReplacement = (user: ManagedUser, input: Input) => {
  const before = readSentAttributes(user)
  const after = { ...noAttributes(), externalId: before.externalId, active: before.active }
  for (const step of stepsOf('replace', input.body)) change(after, step)
  return { before, after }
}

/**
 * Returns the attributes before and after a PATCH, both with the values that Maru has changed since.
 * @throws {ScimRefusal} as `parsePatch` and `change`
 */
const toPatched = (user: ManagedUser, input: Input) => {
  const after = mergeAttributes(user)
  for (const step of parsePatch(input.body)) change(after, step)
  return { before: mergeAttributes(user), after }
}

/**
 * Withdraws an account that the provider manages, with an audit row, and counts it as `countEnding`. The user is no
 * longer linked with the provider. Sends no mail.
 * @throws {Refusal} as `lockProvider`, `lockManaged`, `countEnding` and `endAccount`
 */
const withdrawUser: Handler<typeof scimRequests.withdrawUser> = async (call, { id }) => {
  const { db, actor } = call
  await db.transaction().execute(async (tx) => {
    const provider = await lockProvider(tx, actor.providerId)
    const user = await lockManaged(tx, actor.providerId, id)
    call.touches([user.id])
    await countEnding(tx, provider)
    await endAccount(tx, user, { withdrawnBy: null, withdrawnReason: `SCIM: ${provider.name}` })
    await rememberEnding(tx, user.id, 'withdrawnAt')
    await linkAccount(tx, actor.providerId, user.id, null)
    await call.auditAs('user.withdraw', tx, {
      target: user.loginId,
      detail: rightsEnd(user),
      records: [`user/${user.id}`],
    })
  })
  return { status: 204 }
}

/** Handlers of the SCIM requests about users (rules/scim#requests). */
export const userRequests = {
  listUsers,
  getUser,
  createUser,
  replaceUser: changeUser(toReplacement),
  patchUser: changeUser(toPatched),
  withdrawUser,
}
