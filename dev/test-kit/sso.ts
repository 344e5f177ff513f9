import { finishLogin, login } from '../../contract/account.ts'
import type { InputOf } from '../../contract/endpoint.ts'
import { getSecurity, updateSecurity } from '../../contract/settings/security.ts'
import { beginSso, finishSso } from '../../contract/sso.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { type CallOptions, PASSWORD, type TestMaru } from './maru.ts'
import type { TestUser } from './people.ts'

/** URL of the portal in tests of single sign-on. */
export const PORTAL = 'http://portal.test'

/** The portal as a client of an identity provider. */
export const CLIENT = {
  clientId: 'maru',
  clientSecret: 'a secret of 30 characters!!',
  redirectUri: `${PORTAL}/sso`,
}

/** Binding of the tab in which a login begins, the same for all logins of `ssoOf`. */
export const BROWSER = 'b'.repeat(43)

/** Options of a call from the office. */
export const OFFICE: CallOptions = { address: '10.9.8.7', headers: { 'user-agent': 'Chrome 140' } }

/** Returns the login ticket in the body of a refusal; undefined if it has none. */
export const ticketIn = ({ raw }: { raw: string }) => (JSON.parse(raw) as { ticket: string }).ticket

/** Returns the input field `ssoTicket`; no field without a ticket. */
const withTicket = (ssoTicket: string | undefined) => (ssoTicket === undefined ? {} : { ssoTicket })

/** Security settings that the tests change. */
type Wanted = Pick<InputOf<typeof updateSecurity>, 'ssoRoles' | 'emergencyAccounts'>

/**
 * Creates functions for tests of required single sign-on.
 * @param present returns the current identity provider, and its ID in the portal
 */
export function ssoOf(maru: TestMaru, present: () => { idp: IdentityProvider; providerId: string }) {
  return {
    /** Saves the security settings with other roles and emergency accounts, and returns the response. */
    saveRequired: async (wanted: Wanted, by: TestUser) => {
      const { roles: _, fixed: __, address: ___, ...kept } = (await maru.call(getSecurity, {}, by)).data
      return maru.call(updateSecurity, { ...kept, ...wanted }, by)
    },
    /**
     * Logs a person in by password, and returns the response.
     * @param ssoTicket ticket of a login at the provider that links the account
     */
    byPassword: (person: TestUser, ssoTicket?: string) =>
      maru.call(login, { loginId: person.userId, password: PASSWORD, ...withTicket(ssoTicket) }, OFFICE),
    /** Finishes a login by the code of an authenticator app, and returns the response. */
    byCode: (ticket: string, proof: string, ssoTicket?: string) =>
      maru.call(finishLogin, { ticket, factor: 'TOTP', proof, ...withTicket(ssoTicket) }, OFFICE),
    /**
     * Logs a person with this subject and email address in at the provider, and returns the response of the portal.
     * @param id ID of the provider in the portal
     */
    byProvider: async (sub: string, email = `${sub}@gana.kr`, id = present().providerId) => {
      const { loginUrl } = (await maru.call(beginSso, { providerId: id, binding: BROWSER }, OFFICE)).data
      const answer = await present().idp.logIn(loginUrl, { sub, email, email_verified: true })
      return maru.call(finishSso, { binding: BROWSER, answer }, OFFICE)
    },
    /** Links the account of a person with an identity, directly in the database and without an audit row. */
    link: (person: TestUser, sub: string, id = present().providerId) =>
      maru.database.pool.query('insert into identities (provider_id, subject, user_id) values ($1, $2, $3)', [
        id,
        sub,
        person.id,
      ]),
  }
}
