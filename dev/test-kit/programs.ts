import { expect } from 'vitest'
import { checkPassword } from '../../contract/account.ts'
import { createProgram, issueKey, listPrograms } from '../../contract/keys.ts'
import { holderOf, partnerWith } from './keys.ts'
import { type CallOptions, PASSWORD, type TestMaru } from './maru.ts'
import type { TestUser } from './people.ts'

/** Creates functions for tests of programs and their tokens. */
export function programsOf(maru: TestMaru) {
  const sql = async (text: string, values: unknown[] = []) =>
    (await maru.database.pool.query(text, values)).rows
  const count = async (from: string, values: unknown[] = []) =>
    Number((await sql(`select count(*) as n from ${from}`, values))[0].n)
  /** Reads the rows that issuing a key writes; refusals have rows of their own. */
  const written = async () => [
    await count('issued_keys'),
    await count(`audit_log where action in ('key.issue', 'program.network')`),
    await sql('select token_hash, last_used_at, last_address, networks from program_tokens order by id'),
  ]
  const passGate = (person: TestUser) => maru.call(checkPassword, { password: PASSWORD }, person)
  /** Requests a key with a program token, and returns the response. */
  const issue = (token: string, requestKey = 'device', more: CallOptions = {}) =>
    maru.call(issueKey, { requestKey }, { token, ...more })

  return {
    sql,
    count,
    written,
    passGate,
    issue,
    /** Creates a user of a new partner, who has just entered the password again at the password gate. */
    holder: async (): Promise<TestUser> => {
      const person = await holderOf(maru, await partnerWith(maru))
      await passGate(person)
      return person
    },
    /** Creates a program of a user, and returns its ID and token. Throws if the call is refused. */
    make: async (person: TestUser, programName = '단말 설치', validDays?: number) => {
      const { data } = await maru.call(createProgram, { programName, validDays }, person)
      return { id: data.programId, token: data.programToken }
    },
    /** Returns the programs of a user, as the list shows them. */
    listed: async (person: TestUser) => (await maru.call(listPrograms, {}, person)).data.programs,
    /** Expects that a token is refused, and that the refusal writes no key, no audit row of a key and no last use. */
    expectDead: async (token: string): Promise<void> => {
      const before = await written()
      const answer = await issue(token, 'must not be')
      expect(answer).toMatchObject({ status: 401, code: 'PROGRAM_TOKEN_REQUIRED' })
      expect(await written()).toEqual(before)
    },
  }
}
