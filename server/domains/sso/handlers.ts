import { sql, type Transaction } from 'kysely'
import { Refusal, refuse } from '../../../contract/errors.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import { timeText } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Handlers } from '../../http/handler.ts'
import {
  checkAccount,
  confirmingProviders,
  continueLogin,
  createRequestTicket,
  holdProvider,
  lockFactors,
  savePasswordCheck,
  tellOfFactor,
} from '../account/index.ts'
import { beginExchange, emailOf, finishExchange, type Proven } from './exchange.ts'
import { applyGroupRoles } from './group-roles.ts'
import { logoutUrlOf } from './openid.ts'
import * as providers from './providers.ts'
import { providersOf } from './queries.ts'

/**
 * Returns the update query of the identity `i` that a provider has proved, with its user `u`, to which the caller adds
 * the columns. It changes no row if no account is linked.
 */
const identityOf = (tx: Transaction<Database>, { provider, subject }: Proven) =>
  tx
    .updateTable('identities as i')
    .from('users as u')
    .whereRef('u.id', '=', 'i.userId')
    .where('i.providerId', '=', provider.id)
    .where('i.subject', '=', subject)

/**
 * Locks the provider and the user of a proven identity before the identity, as its removal does. Otherwise they
 * deadlock.
 */
async function lockOwner(tx: Transaction<Database>, { provider, subject }: Proven): Promise<void> {
  await holdProvider(tx, provider.id)
  await tx
    .selectFrom('users as u')
    .innerJoin('identities as i', 'i.userId', 'u.id')
    .select('u.id')
    .where('i.providerId', '=', provider.id)
    .where('i.subject', '=', subject)
    .forNoKeyUpdate('u')
    .execute()
}

/**
 * Handlers of single sign-on: logins, links, reauthentication, logout at the provider, and test logins (rules/sso).
 * Those that manage providers are in providers.ts.
 */
export const sso: Handlers<'sso'> = {
  ...providers.handlers,

  /** Begins a login by a provider, and returns its URL (`beginExchange`). */
  beginSso: (call, input) => beginExchange(call, 'login', input),

  /**
   * Logs in the user whom the provider has proved (`continueLogin`), with the role of their groups.
   * @throws {Refusal} SSO_ACCOUNT_UNKNOWN for an identity without an account, with a ticket to link or request one if it has an
   * email; and as `finishExchange` and `continueLogin`
   */
  async finishSso(call, input) {
    const proven = await finishExchange(call, 'login', input)
    const { provider } = proven
    const login = () =>
      continueLogin(call, {
        provider: { id: provider.id, name: provider.name, factorCounts: provider.factorCounts },
        // In the transaction of the login, so that a link that is removed meanwhile does not count.
        async find(tx) {
          await lockOwner(tx, proven)
          const row = await identityOf(tx, proven)
            .set({ lastLoginAt: sql`now()` })
            .returning(['u.id', 'u.loginId'])
            .executeTakeFirst()
          if (row !== undefined) {
            await applyGroupRoles(tx, call, proven, row.id)
            return row.loginId
          }
          // Recorded as a failed login without an ID.
          call.triesAs('')
          return refuse('SSO_ACCOUNT_UNKNOWN')
        },
      })
    return call.inTurn(login).catch(async (error: unknown) => {
      const isUnknown = error instanceof Refusal && error.code === 'SSO_ACCOUNT_UNKNOWN'
      // Its owner may request an account with a ticket that another person left on a shared computer.
      const email = emailOf(proven.claims)
      if (!isUnknown || email === null) throw error
      const ticket = await call.inTurn(() => createRequestTicket(call.db, { ...proven, email }))
      return refuse('SSO_ACCOUNT_UNKNOWN', { ticket })
    })
  },

  /**
   * Begins a reauthentication by a provider, and returns its URL.
   * @throws {Refusal} SSO_ACCOUNT_UNKNOWN for a provider that `confirmingProviders` does not name; and as `beginExchange`
   */
  async beginConfirmation(call, input) {
    const { db, actor } = call
    const ways = await call.inTurn(() => confirmingProviders(db, actor.id).execute())
    if (!ways.some(({ providerId }) => providerId === input.providerId)) refuse('SSO_ACCOUNT_UNKNOWN')
    return beginExchange(call, 'confirm', input)
  },

  /**
   * Reauthenticates the session as a password would, with an audit row, if the provider authenticated the caller just now.
   * @throws {Refusal} SSO_CONFIRMATION_UNAVAILABLE if it did not authenticate just now; SSO_ACCOUNT_UNKNOWN for another user,
   * or if the caller may not reauthenticate by it; and as `finishExchange`
   */
  async finishConfirmation(call, input) {
    const { db, actor } = call
    const proven = await finishExchange(call, 'confirm', input)
    if (!isRecent(proven)) refuse('SSO_CONFIRMATION_UNAVAILABLE')
    await call.inTurn(() =>
      db.transaction().execute(async (tx) => {
        await lockOwner(tx, proven)
        const owner = await identityOf(tx, proven)
          .set({ lastLoginAt: sql`now()` })
          .returning('u.id')
          .executeTakeFirst()
        const ways = await confirmingProviders(tx, actor.id).execute()
        const isAllowed = ways.some(({ providerId }) => providerId === proven.provider.id)
        if (owner?.id !== actor.id || !isAllowed) refuse('SSO_ACCOUNT_UNKNOWN')
        await savePasswordCheck(tx, actor.tokenHash)
        const detail = { by: 'sso', providerName: proven.provider.name }
        await call.audit(tx, { target: actor.userId, detail, records: null })
      }),
    )
    return {}
  },

  /**
   * Returns the URL that ends the session at the provider by which the caller logged in; '' if there is none, single sign-on is
   * turned off, the portal has no URL, or it cannot be read.
   */
  async getProviderLogout(call) {
    const { db, actor, services } = call
    const backTo = services.settings.link('/login')
    const provider = await call.inTurn(() =>
      providersOf(db)
        .innerJoin('sessions as s', 's.providerId', 'p.id')
        .where('s.tokenHash', '=', actor.tokenHash)
        .where('p.endsSession', '=', true)
        .executeTakeFirst(),
    )
    if (provider === undefined || backTo === null || !services.config.sso) return { logoutUrl: '' }
    // The logout from the portal does not depend on the provider, whose failure is in the log.
    return { logoutUrl: await logoutUrlOf(call, provider, backTo).catch(ignoreRefusal) }
  },

  /** Returns the providers that the caller is linked with, or can be, with the times of link and last login. */
  async listLinks({ db, actor, services }) {
    const rows = await db
      .selectFrom('identityProviders as p')
      .leftJoin('identities as i', (join) =>
        join.onRef('i.providerId', '=', 'p.id').on('i.userId', '=', actor.id),
      )
      .select([
        'p.id as providerId',
        'p.name as providerName',
        timeText('i.createdAt').as('linkedAt'),
        timeText('i.lastLoginAt').as('lastUsedAt'),
        sql<boolean>`p.enabled_at is not null`.as('usable'),
      ])
      .where((eb) => eb.or([eb('i.id', 'is not', null), eb('p.enabledAt', 'is not', null)]))
      .orderBy('p.id')
      .execute()
    const links = rows.map((row) => ({ ...row, usable: row.usable && services.config.sso }))
    return { links: links.filter(({ linkedAt, usable }) => usable || linkedAt !== '') }
  },

  /** Begins the link of the caller's account with an identity, and returns the URL of the provider (`beginExchange`). */
  beginLink: (call, input) => beginExchange(call, 'link', input),

  /**
   * Links the caller's account with the proved identity, mails the caller, and writes an audit row.
   * @throws {Refusal} SSO_TAKEN if the identity is linked with any account, also the caller's, or the caller's account is
   * linked with another identity of the same provider; and as `finishExchange`
   */
  async finishLink(call, input) {
    const { actor, db, services } = call
    const { provider, subject } = await finishExchange(call, 'link', input)
    await call.inTurn(() =>
      db.transaction().execute(async (tx) => {
        const owner = await lockFactors(tx, actor.id)
        const values = { providerId: provider.id, subject, userId: actor.id }
        await mapConstraintErrors({ identities_subject: 'SSO_TAKEN', identities_user: 'SSO_TAKEN' }, () =>
          tx.insertInto('identities').values(values).execute(),
        )
        await tellOfFactor(tx, call, owner, 'linked', { providerName: provider.name })
        await call.audit(tx, {
          target: actor.userId,
          detail: { providerName: provider.name },
          records: [`user/${actor.id}`],
        })
      }),
    )
    services.mail.wake()
    return { providerName: provider.name }
  },

  /**
   * Removes the link with a provider, ends the caller's other sessions by it, mails the caller, and writes an audit row.
   * @throws {Refusal} SSO_PROVIDER_NOT_FOUND if there is no link
   */
  async removeLink(call, { providerId }) {
    const { actor, db, services } = call
    await db.transaction().execute(async (tx) => {
      const owner = await lockFactors(tx, actor.id)
      const removed = await tx
        .deleteFrom('identities as i')
        .using('identityProviders as p')
        .whereRef('p.id', '=', 'i.providerId')
        .where('i.userId', '=', actor.id)
        .where('i.providerId', '=', providerId)
        .returning('p.name')
        .executeTakeFirst()
      if (removed === undefined) return refuse('SSO_PROVIDER_NOT_FOUND')
      await tx
        .with('tickets', (with_) =>
          with_
            .deleteFrom('loginTickets')
            .where('userId', '=', actor.id)
            .where('providerId', '=', providerId),
        )
        .deleteFrom('sessions')
        .where('userId', '=', actor.id)
        .where('providerId', '=', providerId)
        .where('tokenHash', '<>', actor.tokenHash)
        .execute()
      await tellOfFactor(tx, call, owner, 'unlinked', { providerName: removed.name })
      await call.audit(tx, {
        target: actor.userId,
        detail: { providerName: removed.name },
        records: [`user/${actor.id}`],
      })
    })
    services.mail.wake()
    return {}
  },

  /** Begins a test login at a provider, and returns its URL (`beginTest`). */
  beginTry: (call, { providerVersion, ...input }) => providers.beginTest(call, providerVersion, input),

  /**
   * Marks the version of the provider as tested, with an audit row, and returns the claims, the account that a login would use
   * ('' if none), and why it could not log in ('' if it could). Begins no session.
   * @throws {Refusal} SSO_STATE_INVALID if the provider changed during the test; and as `finishExchange`
   */
  async finishTry(call, input) {
    const { db, language } = call
    const proven = await finishExchange(call, 'try', input)
    const { provider, subject, claims } = proven
    return call.inTurn(() =>
      db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('identityProviders')
          .set({ triedVersion: provider.version })
          .where('id', '=', provider.id)
          .where('version', '=', provider.version)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) refuse('SSO_STATE_INVALID')
        await call.audit(tx, { target: provider.name, records: null })
        const owner = await tx
          .selectFrom('identities as i')
          .innerJoin('users as u', 'u.id', 'i.userId')
          .select(['u.id', 'u.loginId'])
          .where('i.providerId', '=', provider.id)
          .where('i.subject', '=', subject)
          .executeTakeFirst()
        call.touches(owner === undefined ? [] : [owner.id])
        const refusal = owner && (await checkAccount(tx, call, owner.loginId))
        return {
          providerName: provider.name,
          claims: shownClaims(claims),
          matchedId: owner?.loginId ?? '',
          obstacle: refusal ? catalogues[language].errors[refusal] : '',
        }
      }),
    )
  },
}

/** Seconds by which the clock of a provider may differ. */
const CLOCK_SECONDS = 60

/** Returns whether a provider states that it authenticated the user since the reauthentication began. */
const isRecent = ({ claims: { auth_time: at }, begunAt }: Proven) =>
  typeof at === 'number' &&
  at >= begunAt.getTime() / 1000 - CLOCK_SECONDS &&
  // Milliseconds would count forever.
  at <= Date.now() / 1000 + CLOCK_SECONDS

/**
 * Returns '' for a refusal, instead of a URL.
 * @throws any other error
 */
function ignoreRefusal(error: unknown): string {
  if (error instanceof Refusal) return ''
  throw error
}

/** Names of claims that contain nothing about the user. */
const TECHNICAL: ReadonlySet<string> = new Set([
  'nonce',
  'at_hash',
  'c_hash',
  's_hash',
  'exp',
  'iat',
  'nbf',
  'sid',
  'rh',
  'uti',
])

/** Returns the claims that a test login shows, as short texts. */
const shownClaims = (claims: object) =>
  Object.entries(claims)
    .filter(([claim]) => !TECHNICAL.has(claim))
    .slice(0, 30)
    .map(([claim, value]) => ({
      claim: claim.slice(0, 60),
      text: (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 200),
    }))
