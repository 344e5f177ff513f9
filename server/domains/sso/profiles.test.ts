import { beforeAll, describe, expect, test } from 'vitest'
import {
  beginConfirmation,
  beginSso,
  beginTry,
  createProvider,
  enableProvider,
  finishConfirmation,
  finishSso,
  finishTry,
  getProviderLogout,
  type SubjectClaim,
} from '../../../contract/sso.ts'
import {
  type IdentityProvider,
  type ProviderProfile,
  startIdentityProvider,
} from '../../../dev/test-kit/identity-provider.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { BROWSER, CLIENT, OFFICE, PORTAL } from '../../../dev/test-kit/sso.ts'

/* Logins by providers that answer as Entra, Google, Keycloak and NAVER WORKS do, with the settings of docs/sso.md. */

const maru = useMaru({ OUTBOUND_ALLOW: '127.0.0.1', PORTAL_URL: PORTAL, SMTP_URL: 'smtp://127.0.0.1:1' })
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

interface Known extends ProviderProfile {
  name: string
  subjectClaim: SubjectClaim
  /** Claims of a person, besides `sub`. */
  claims: Record<string, unknown>
  /** Value of the claim that names the person. */
  subject: string
  /** Whether the person may link by email address at the first login. */
  hasTicket: boolean
  /** Whether it says when it asked the person. */
  hasAuthTime: boolean
}

const PROFILES: Known[] = [
  {
    name: 'Microsoft Entra ID',
    path: '/11111111-2222-3333-4444-555555555555/v2.0',
    subjectClaim: 'oid',
    claims: { oid: 'aaaa-bbbb', email: 'kim@gana.kr', name: '김가나' },
    subject: 'aaaa-bbbb',
    hasTicket: true,
    hasAuthTime: true,
  },
  {
    name: 'Google Workspace',
    authentication: 'client_secret_basic',
    hasLogout: false,
    subjectClaim: 'sub',
    claims: { email: 'kim@gana.kr', email_verified: true, name: '김가나' },
    subject: 'pairwise',
    hasTicket: true,
    hasAuthTime: false,
  },
  {
    name: 'Keycloak',
    path: '/realms/gana',
    authentication: 'client_secret_basic',
    subjectClaim: 'sub',
    claims: { email: 'kim@gana.kr', email_verified: false, groups: ['/staff'], name: '김가나' },
    subject: 'pairwise',
    hasTicket: false,
    hasAuthTime: true,
  },
  {
    name: 'NAVER WORKS',
    hasLogout: false,
    subjectClaim: 'sub',
    claims: { email: 'kim@gana.kr' },
    subject: 'pairwise',
    hasTicket: true,
    hasAuthTime: false,
  },
]

describe.each(PROFILES)('a provider that answers as $name', (known) => {
  let idp: IdentityProvider
  beforeAll(async () => {
    idp = await startIdentityProvider(CLIENT, known)
    return () => idp.stop()
  })

  test('is tested, enabled and logs a linked person in (rules/sso#login, rules/sso#identity)', async () => {
    await sql('delete from identity_providers')
    const admin = await maru.createUser({ role: 'admin' })
    const form = {
      providerName: known.name,
      issuer: idp.issuer,
      clientId: CLIENT.clientId,
      clientSecret: CLIENT.clientSecret,
      subjectClaim: known.subjectClaim,
      emailDomains: [],
      firstLogin: 'refuse' as const,
      factorCounts: false,
      endsSession: true,
    }
    const { providerId } = (await maru.call(createProvider, form, admin)).data
    const ref = { providerId, providerVersion: 1 }
    const person = { ...known.claims, sub: 'pairwise' }
    const tried = (await maru.call(beginTry, { ...ref, binding: BROWSER }, admin)).data
    const answer = await idp.logIn(tried.loginUrl, person)
    const { data } = await maru.call(finishTry, { binding: BROWSER, answer }, admin)
    expect(data.claims).toContainEqual({ claim: 'email', text: 'kim@gana.kr' })
    expect((await maru.call(enableProvider, { ...ref, enabled: true }, admin)).status).toBe(200)

    const logIn = async () => {
      const { loginUrl } = (await maru.call(beginSso, { providerId, binding: BROWSER }, OFFICE)).data
      const returned = await idp.logIn(loginUrl, person)
      return maru.call(finishSso, { binding: BROWSER, answer: returned }, OFFICE)
    }
    const unknown = await logIn()
    expect(unknown.code).toBe('SSO_ACCOUNT_UNKNOWN')
    expect('ticket' in JSON.parse(unknown.raw)).toBe(known.hasTicket)
    const kim = await maru.createUser()
    await sql('insert into identities (provider_id, subject, user_id) values ($1, $2, $3)', [
      providerId,
      known.subject,
      kim.id,
    ])
    const { data: session } = await logIn()
    expect(session.userId).toBe(kim.userId)

    const at = { ...OFFICE, session: session.sessionUid }
    const { logoutUrl } = (await maru.call(getProviderLogout, {}, at)).data
    expect(logoutUrl !== '').toBe(known.hasLogout !== false)

    // A token without a time of login, as Google sends, is refused (forged-answers.test.ts).
    if (!known.hasAuthTime) return
    await sql(`update users set password_own_from = null where id = $1`, [kim.id])
    await sql(
      `insert into scim_users (user_id, provider_id, user_name, is_made) values ($1, $2, 'kim@gana.kr', true)`,
      [kim.id, providerId],
    )
    const asked = (await maru.call(beginConfirmation, { providerId, binding: BROWSER }, at)).data
    const again = await idp.logIn(asked.loginUrl, person)
    const confirmed = await maru.call(finishConfirmation, { binding: BROWSER, answer: again }, at)
    expect(confirmed.status).toBe(200)
  })
})
