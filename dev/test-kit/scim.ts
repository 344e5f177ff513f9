import { createScimToken, updateScim } from '../../contract/scim.ts'
import { SCIM_BASE } from '../../contract/envelope.ts'
import { startSession } from '../../server/callers/sessions.ts'
import type { TestMaru } from './maru.ts'

/** A resource, list or error of SCIM, as clients read it. */
// The responses of SCIM have no types here: tests compare them with what clients expect.
// oxlint-disable-next-line no-explicit-any
type ScimJson = any

/** A response of SCIM. */
export interface ScimAnswer {
  status: number
  headers: Record<string, unknown>
  json: ScimJson
}

/** Function that makes a request of SCIM; a body that is a text is sent unchanged. */
export type ScimRequest = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ScimAnswer>

/** Creates functions for tests of SCIM: they add identity providers and make their requests. */
export function scimOf(maru: TestMaru) {
  const sql = async (text: string, values: unknown[] = []) =>
    (await maru.database.pool.query<Record<string, unknown>>(text, values)).rows

  /**
   * Returns a function that makes requests with a token.
   * @param type Content-Type of a body
   */
  const client =
    (token: string | undefined, type = 'application/scim+json'): ScimRequest =>
    async (method, path, body, headers = {}) => {
      const response = await maru.app.inject({
        method,
        url: SCIM_BASE + path,
        remoteAddress: '203.0.113.9',
        headers: {
          ...(body !== undefined && { 'content-type': type }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const json: ScimJson = response.body === '' ? undefined : response.json()
      return { status: response.statusCode, headers: response.headers, json }
    }

  /**
   * Adds an enabled identity provider with an affiliation and a token. Contacts no provider.
   * @returns its ID, the token, an administrator, and the function that makes its requests
   */
  async function addProvider(name: string) {
    const [row] = await sql(
      `insert into identity_providers (name, issuer, client_id, client_secret, tried_version, enabled_at)
        values ($1, $2, 'maru', '\\x00', 1, now()) returning id::text`,
      [name, `https://${name}.example`],
    )
    const providerId = String(row?.['id'])
    const admin = await maru.createUser({ role: 'admin' })
    await maru.call(updateScim, { providerId, affiliationCode: 'BEL001' }, admin)
    const token = (await maru.call(createScimToken, { providerId }, admin)).data.scimToken
    return { providerId, token, admin, scim: client(token) }
  }

  /**
   * Starts a session of a user, and returns its sessionUid.
   * @param id users.id
   */
  const startSessionOf = (id: string) =>
    maru.database.db
      .transaction()
      .execute((tx) => startSession(tx, { userId: id, address: '127.0.0.1', userAgent: 'test' }))
  return { sql, client, addProvider, startSessionOf }
}
