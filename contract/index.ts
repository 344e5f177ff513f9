import * as account from './account.ts'
import * as affiliations from './affiliations.ts'
import * as approvals from './approvals.ts'
import * as audit from './audit.ts'
import * as common from './common.ts'
import type { Endpoint } from './endpoint.ts'
import * as events from './events.ts'
import * as home from './home.ts'
import * as keys from './keys.ts'
import * as notices from './notices.ts'
import * as mentions from './notices/mentions.ts'
import * as notifications from './notifications.ts'
import * as partners from './partners.ts'
import * as partnerImport from './partners/import.ts'
import * as roles from './roles.ts'
import * as settings from './settings.ts'
import * as mailTemplates from './settings/mail-templates.ts'
import * as privacy from './settings/privacy.ts'
import * as retention from './settings/retention.ts'
import * as scim from './scim.ts'
import * as security from './settings/security.ts'
import * as sso from './sso.ts'
import * as teams from './teams.ts'
import * as users from './users.ts'
import * as userImport from './users/import.ts'
import * as userUpdate from './users/import-update.ts'

/** The calls among the exports of a module. */
type Endpoints<M> = { [K in keyof M as M[K] extends Endpoint ? K : never]: M[K] }

/** Returns the calls of a domain by name: those exports of its module that are calls. */
function endpointsOf<M extends object>(module: M): Endpoints<M> {
  return Object.fromEntries(
    Object.entries(module).filter(([, value]) => typeof value === 'object' && 'path' in value),
  ) as Endpoints<M>
}

/**
 * Every call of the API by domain and name. A call that is not listed here does not exist. The server mounts all of it; the client,
 * the permission tests and the OpenAPI document of plain calls use the same list.
 */
export const contract = {
  account: endpointsOf(account),
  settings: endpointsOf({ ...security, ...settings, ...retention, ...privacy, ...mailTemplates }),
  // The calls of an import are in modules of their own, so that they load with its page.
  users: endpointsOf({ ...users, ...userImport, ...userUpdate }),
  approvals: endpointsOf(approvals),
  common: endpointsOf(common),
  // Loads with the page of a notice.
  notices: endpointsOf({ ...notices, ...mentions }),
  keys: endpointsOf(keys),
  partners: endpointsOf({ ...partners, ...partnerImport }),
  affiliations: endpointsOf(affiliations),
  teams: endpointsOf(teams),
  roles: endpointsOf(roles),
  audit: endpointsOf(audit),
  events: endpointsOf(events),
  notifications: endpointsOf(notifications),
  sso: endpointsOf(sso),
  scim: endpointsOf(scim),
  home: endpointsOf(home),
}

/** Name of a domain, such as 'users', in contract, server, web and tests. */
export type Domain = keyof typeof contract

/** Every call as a flat list, for code that iterates over the contract. */
export const endpoints: { domain: Domain; name: string; endpoint: Endpoint }[] = Object.entries(
  contract,
).flatMap(([domain, calls]) =>
  Object.entries(calls).map(([name, endpoint]) => ({
    domain: domain as Domain,
    name,
    endpoint: endpoint as Endpoint,
  })),
)
