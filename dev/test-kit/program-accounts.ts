import { expect } from 'vitest'
import type { InputOf } from '../../contract/endpoint.ts'
import { PLAIN_BASE } from '../../contract/envelope.ts'
import {
  createAccountToken,
  createProgramAccount,
  listProgramAccounts,
  updateProgramAccount,
} from '../../contract/keys.ts'
import type { useMaru } from './maru.ts'
import type { TestUser } from './people.ts'

/** The form of a program account. */
export type AccountForm = InputOf<typeof createProgramAccount>

/**
 * Creates functions for tests of program accounts.
 * @param admin returns the user who acts if a function is called without one
 */
export function programAccountsOf(maru: ReturnType<typeof useMaru>, admin: () => TestUser) {
  let made = 0
  const formOf = (more: Partial<AccountForm> = {}): AccountForm => ({
    programName: `인사 연동 ${(made += 1)}`,
    roleCode: 'AUT002',
    affiliationCode: 'BEL001',
    scopes: ['users:read'],
    ...more,
  })

  /** Creates a program account, and returns its accountId. Fails the test if the call is refused. */
  async function register(more: Partial<AccountForm> = {}, by = admin()): Promise<string> {
    const answer = await maru.call(createProgramAccount, formOf(more), by)
    expect(answer.status, answer.raw).toBe(200)
    return answer.data.accountId
  }

  /** Creates a token of a program account, and returns the output. Fails the test if the call is refused. */
  async function tokenOf(accountId: string, tokenName = 'A', by = admin()) {
    const answer = await maru.call(createAccountToken, { accountId, tokenName }, by)
    expect(answer.status, answer.raw).toBe(200)
    return answer.data
  }

  /** Makes a call without the envelope, and returns its status and body. */
  async function plain(call: string, token: string, input: object = {}, remoteAddress = '203.0.113.5') {
    const response = await maru.app.inject({
      method: 'POST',
      url: `${PLAIN_BASE}/${call}`,
      remoteAddress,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      payload: JSON.stringify(input),
    })
    return { status: response.statusCode, json: response.json(), raw: response.body }
  }
  /** Returns the status of listing users with a token. */
  const statusOf = async (token: string, address?: string) =>
    (await plain('users/listUsers', token, {}, address)).status

  /** Returns a program account as the list shows it; undefined if it is not there. */
  const listed = async (accountId: string, by = admin()) =>
    (await maru.call(listProgramAccounts, {}, by)).data.accounts.find((row) => row.accountId === accountId)

  /**
   * Saves a program account with some fields changed, and returns the response. Fails the test if the list has no such
   * account.
   */
  async function change(accountId: string, more: object, by = admin()) {
    const row = (await listed(accountId)) ?? expect.unreachable()
    const { programName, roleCode, affiliationCode, scopes, allowedNetworks, validTo, version } = row
    const form = { programName, roleCode, affiliationCode, scopes, allowedNetworks, validTo }
    const isEnabled = row.state !== 'off'
    return maru.call(updateProgramAccount, { accountId, ...form, isEnabled, version, ...more }, by)
  }

  return { formOf, register, tokenOf, plain, statusOf, listed, change }
}
