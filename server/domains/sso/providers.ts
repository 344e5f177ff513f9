import { sql } from 'kysely'
import type { Endpoint, ParsedInputOf } from '../../../contract/endpoint.ts'
import { refuse } from '../../../contract/errors.ts'
import { reachesAdministrators } from '../../../contract/permissions.ts'
import { type createProvider as createEndpoint, PROVIDERS_MAX, SSO_CHANGES } from '../../../contract/sso.ts'
import { wireTime } from '../../db/sql.ts'
import type { Call, Handlers } from '../../http/handler.ts'
import { differences } from '../../records/audit.ts'
import { beginExchange } from './exchange.ts'
import { checkGroupRoles, groupRolesOf, mappableRoles, storedOf } from './group-roles.ts'
import { lockProvider, type Provider, providersOf, sealSecret } from './queries.ts'

/** Values of a provider that its form edits. */
type Form = ParsedInputOf<typeof createEndpoint>
/** Part of a call that manages providers. */
type ManagingCall = Pick<Call<Endpoint & { access: 'signed-in' }>, 'actor' | 'services'>

/** Names of the calls that manage identity providers. */
const managing = [
  'listProviders',
  'createProvider',
  'updateProvider',
  'enableProvider',
  'removeProvider',
] as const

/** Handlers of the calls that manage identity providers. */
type Managing = Pick<Handlers<'sso'>, (typeof managing)[number]>

/**
 * Refuses callers who may not change providers: a provider opens the accounts that are linked with it, also those of
 * administrators.
 * @throws {Refusal} ADMIN_REACH_REQUIRED
 */
function requireReach({ actor }: ManagingCall): void {
  if (!reachesAdministrators(actor)) refuse('ADMIN_REACH_REQUIRED')
}

/**
 * Refuses callers as `requireReach`, and counts a call that makes Maru connect to a host of the caller's choice.
 * @throws {Refusal} ADMIN_REACH_REQUIRED; TOO_MANY_TRIES beyond SSO_CHANGES
 */
async function requireChange(call: ManagingCall): Promise<void> {
  requireReach(call)
  await call.services.limits.use('sso', SSO_CHANGES, call.actor.id)
}

/**
 * Begins a test login at a provider, which need not be enabled, and returns its URL (rules/sso#test-login).
 * @param version version of the provider's settings that the caller sees
 * @throws {Refusal} RECORD_CHANGED for another version; and as `requireChange` and `beginExchange`
 */
export async function beginTest(
  call: ManagingCall & Parameters<typeof beginExchange>[0],
  version: number,
  input: { providerId: string; binding: string },
): Promise<{ loginUrl: string }> {
  await requireChange(call)
  return beginExchange(call, 'try', input, (provider) => {
    if (provider.version !== version) refuse('RECORD_CHANGED')
  })
}

/**
 * Refuses a form that would approve users of any email domain.
 * @throws {Refusal} SSO_DOMAINS_NEEDED
 */
function requireDomains({ firstLogin, emailDomains }: Form): void {
  if (firstLogin === 'create' && emailDomains.length === 0) refuse('SSO_DOMAINS_NEEDED')
}

/** Returns the fields of a form that an audit row may show: all but the secret. */
const visible = ({
  providerName,
  issuer,
  clientId,
  subjectClaim,
  emailDomains,
  firstLogin,
  factorCounts,
  endsSession,
  groupsClaim,
  groupRoles,
}: Omit<Form, 'clientSecret'>) => ({
  providerName,
  issuer,
  clientId,
  subjectClaim,
  emailDomains,
  firstLogin,
  factorCounts,
  endsSession,
  groupsClaim,
  groupRoles,
})

/** Returns a provider's values of the form, without the secret. */
const formOf = ({ name, ...provider }: Provider) =>
  visible({ providerName: name, ...provider, groupRoles: groupRolesOf(provider) })

/** Returns the fields as audit details have them. */
const shownOf = ({ groupRoles, ...fields }: ReturnType<typeof visible>) => ({
  ...fields,
  groupRoles: groupRoles.map(({ group, roleCode }) => `${group} = ${roleCode}`),
})

/** Returns the columns for the fields of the form, without the secret. */
function columnsOf(form: Form) {
  const { providerName: name, groupRoles, ...columns } = visible(form)
  return { name, ...columns, groupRoles: storedOf(groupRoles) }
}

/**
 * Handlers of the page /setting/sso: list, create, update, enable, disable and remove providers (rules/sso#providers).
 * Every change needs a caller who reaches administrators, and writes an audit row without the secret. A change of
 * issuer or subject claim is refused while accounts are linked. Only a tested version can be enabled.
 */
export const handlers: Managing = {
  /**
   * Returns the providers with their settings, whether each is enabled and tested, and the number of linked accounts;
   * and the roles that groups may get. Never returns a secret.
   */
  async listProviders({ db, services, language }) {
    const roles = await mappableRoles(db)
    const rows = await providersOf(db)
      .select((eb) => [
        sql<number>`(select count(*)::int from identities i where i.provider_id = p.id)`.as('linkCount'),
        wireTime(eb.ref('p.createdAt')).as('createdAtText'),
      ])
      .execute()
    return {
      providers: rows.map((row) => ({
        ...formOf(row),
        providerId: row.id,
        enabled: row.enabledAt !== null,
        tried: row.triedVersion === row.version,
        linkCount: row.linkCount,
        providerVersion: row.version,
        createdAt: row.createdAtText,
      })),
      roles: roles.map(({ code: roleCode, groupName, nameEn }) => ({
        roleCode,
        roleName: language === 'ko' ? groupName : nameEn,
      })),
      redirectUri: services.settings.link('/sso') ?? '',
      ssoOff: !services.config.sso,
    }
  },

  /**
   * Creates a disabled provider, with an audit row, and returns its ID.
   * @throws {Refusal} SSO_SECRET_REQUIRED without a client secret; SSO_FULL beyond PROVIDERS_MAX; and as `requireChange`,
   * `requireDomains` and `checkGroupRoles`
   */
  async createProvider(call, input) {
    await requireChange(call)
    requireDomains(input)
    const clientSecret = sealSecret(
      call.services.keySecret,
      input.clientSecret ?? refuse('SSO_SECRET_REQUIRED'),
      input,
    )
    return call.db.transaction().execute(async (tx) => {
      await checkGroupRoles(tx, input.groupRoles)
      // Counts one at a time.
      await tx.selectFrom('settings').select('setupState').forUpdate().executeTakeFirstOrThrow()
      if ((await providersOf(tx).execute()).length >= PROVIDERS_MAX) refuse('SSO_FULL')
      const { id } = await tx
        .insertInto('identityProviders')
        .values({ ...columnsOf(input), clientSecret })
        .returning('id')
        .executeTakeFirstOrThrow()
      await call.audit(tx, {
        target: input.providerName,
        detail: differences({}, shownOf(visible(input))),
        records: null,
      })
      return { providerId: id }
    })
  },

  /**
   * Changes a provider, with an audit row. Another issuer, client, secret or subject claim disables it until it is tested
   * again. Writes nothing if nothing changes.
   * @throws {Refusal} SSO_SECRET_REQUIRED for another issuer or client without its secret; SSO_LINKED for another issuer or
   * subject claim while accounts are linked; and as `lockProvider`, `requireChange`, `requireDomains` and `checkGroupRoles`
   */
  async updateProvider(call, { providerId, providerVersion, ...input }) {
    await requireChange(call)
    requireDomains(input)
    const { keySecret, settings } = call.services
    await call.db.transaction().execute(async (tx) => {
      const provider = await lockProvider(tx, providerId, providerVersion)
      await checkGroupRoles(tx, input.groupRoles)
      const changes = differences(shownOf(formOf(provider)), shownOf(visible(input)))
      const isOther = 'issuer' in changes || 'clientId' in changes
      if (isOther && input.clientSecret === undefined) refuse('SSO_SECRET_REQUIRED')
      if (('issuer' in changes || 'subjectClaim' in changes) && (await hasLinks(tx, providerId)))
        refuse('SSO_LINKED')
      if (Object.keys(changes).length === 0 && input.clientSecret === undefined) return
      const needsTry = isOther || 'subjectClaim' in changes || input.clientSecret !== undefined
      const version = provider.version + 1
      const tried = provider.triedVersion === provider.version ? version : null
      await tx
        .updateTable('identityProviders')
        .set({
          ...columnsOf(input),
          version,
          ...(needsTry ? { enabledAt: null, triedVersion: null } : { triedVersion: tried }),
          ...(input.clientSecret !== undefined && {
            clientSecret: sealSecret(keySecret, input.clientSecret, input),
          }),
        })
        .where('id', '=', providerId)
        .execute()
      const detail = { ...changes, ...(input.clientSecret !== undefined && { clientSecretChanged: true }) }
      await call.audit(tx, { target: provider.name, detail, records: null })
    })
    await settings.fresh()
    return {}
  },

  /**
   * Enables or disables a provider, with an audit row. Does nothing if it is in this state.
   * @throws {Refusal} SSO_NOT_TRIED if this version was not tested; and as `requireReach` and `lockProvider`
   */
  async enableProvider(call, { providerId, providerVersion, enabled }) {
    requireReach(call)
    await call.db.transaction().execute(async (tx) => {
      const provider = await lockProvider(tx, providerId, providerVersion)
      const isEnabled = provider.enabledAt !== null
      if (enabled === isEnabled) return
      if (enabled && provider.triedVersion !== provider.version) refuse('SSO_NOT_TRIED')
      await tx
        .updateTable('identityProviders')
        .set({ enabledAt: enabled ? sql<Date>`now()` : null })
        .where('id', '=', providerId)
        .execute()
      const detail = differences({ enabled: isEnabled }, { enabled })
      await call.audit(tx, { target: provider.name, detail, records: null })
    })
    await call.services.settings.fresh()
    return {}
  },

  /**
   * Deletes a provider with its links and tokens, with an audit row.
   * @throws {Refusal} as `requireReach` and `lockProvider`
   */
  async removeProvider(call, { providerId, providerVersion }) {
    requireReach(call)
    await call.db.transaction().execute(async (tx) => {
      const provider = await lockProvider(tx, providerId, providerVersion)
      await tx.deleteFrom('identityProviders').where('id', '=', providerId).execute()
      const detail = { issuer: { before: provider.issuer, after: '' } }
      await call.audit(tx, { target: provider.name, detail, records: null })
    })
    await call.services.settings.fresh()
    return {}
  },
}

/** Returns whether an account is linked with a provider. */
const hasLinks = async (tx: Parameters<typeof lockProvider>[0], providerId: string) =>
  (await tx.selectFrom('identities').select('id').where('providerId', '=', providerId).limit(1).execute())
    .length > 0
