import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  issueKey,
  listFormerKeyHolders,
  listKeys,
  listKeySecrets,
  revokeKey,
  verifyKey,
} from '../../../contract/keys.ts'
import { readConfig } from '../../config.ts'
import { check } from '../../operator/check.ts'
import { forgetKeySecretsForOperator } from '../../operator/decisions.ts'
import { deriveFrom, type KeySecret } from '../../services/key-secret.ts'
import { holderOf, partnerWith } from '../../../dev/test-kit/keys.ts'
import { type TestMaru, useMaru } from '../../../dev/test-kit/maru.ts'
import { checkKeySecret, countFormerKeys } from './secrets.ts'

/* KEY_SECRET is changed: keys of the previous secret stay valid until they are reissued or revoked. */
const FIRST = 'the-first-secret-of-this-database'
const SECOND = 'the-second-secret-of-this-database'
const THIRD = 'the-third-secret-of-this-database'
const maru = useMaru({ KEY_SECRET: FIRST })

type Server = Pick<TestMaru, 'call'>
const serverWith = (...secrets: string[]) => maru.startTwin({ keySecret: secretOf(...secrets) })
const secretOf = (...secrets: string[]): KeySecret => deriveFrom(secrets.join('\n'))
const start = (...secrets: string[]) => checkKeySecret(maru.database.db, secretOf(...secrets))

let token: string
let person: Awaited<ReturnType<typeof holderOf>>
let admin: Awaited<ReturnType<typeof maru.createUser>>
beforeEach(async () => {
  token = (await maru.createService()).token
  person = await holderOf(maru, await partnerWith(maru, { limits: { total: 2 } }))
  admin = await maru.createUser({ role: 'admin' })
})
// Each test has only keys of its own that live, and the first secret alone.
afterEach(async () => {
  await maru.database.pool.query(
    `update issued_keys set revoked_at = now(), revoke_reason = 'x', revoked_by = user_id where revoked_at is null`,
  )
  await maru.database.pool.query('delete from key_secrets where version > 1')
  await maru.database.pool.query('update key_secrets set forgotten_at = null')
})

async function ask(requestKey: string, server: Server = maru) {
  const { status, data } = await server.call(issueKey, { requestKey }, person)
  expect(status).toBe(200)
  return data
}
const stateOf = async (issuedKey: string, server: Server = maru) =>
  (await server.call(verifyKey, { issuedKey }, { token })).data.state

describe('a key of a former secret (rules/keys#changed-secret)', () => {
  test('stays valid until it is reissued with the same number, and counts once', async () => {
    const before = await ask('기기 1')
    const kept = await ask('기기 2')
    const server = await serverWith(SECOND, FIRST)
    expect(await stateOf(before.issuedKey, server)).toBe('valid')

    const anew = await ask('기기 1', server)
    expect(anew).toMatchObject({ keyId: before.keyId, issuedAt: before.issuedAt })
    expect(anew.issuedKey).not.toBe(before.issuedKey)
    expect(await ask('기기 1', server)).toEqual(anew)
    expect(await stateOf(anew.issuedKey, server)).toBe('valid')
    expect(await stateOf(before.issuedKey, server)).toBe('unknown')
    expect(await stateOf(kept.issuedKey, server)).toBe('valid')

    // The limit of two is full with these two.
    const third = await server.call(issueKey, { requestKey: '기기 3' }, person)
    expect(third.code).toBe('KEY_LIMIT_TOTAL')
    const { rows } = await maru.database.pool.query(
      `select detail from audit_log where action = 'key.issue' and target = $1 order by id`,
      [before.keyId],
    )
    expect(rows.map(({ detail }) => (detail as { reissued?: true }).reissued)).toEqual([
      undefined,
      true,
      undefined,
    ])
  })

  test('is revoked as any other, and nothing of another secret is ever valid', async () => {
    const before = await ask('기기 1')
    const server = await serverWith(SECOND, FIRST)
    expect((await server.call(revokeKey, { keyId: before.keyId, reason: '시험' }, admin)).status).toBe(200)
    expect(await stateOf(before.issuedKey, server)).toBe('revoked')

    // With a previous secret it is impossible to forge a key for a row of the current one, and vice versa.
    const { keyId } = await ask('기기 2', server)
    const parts = { id: keyId, userId: person.id, requestKey: '기기 2' }
    expect(await stateOf(secretOf(SECOND).keyOf(parts), server)).toBe('valid')
    for (const forged of [FIRST, THIRD])
      expect(await stateOf(secretOf(forged).keyOf(parts), server)).toBe('unknown')
  })

  test('issues the same new key to many concurrent callers', async () => {
    await ask('기기 1')
    const server = await serverWith(SECOND, FIRST)
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask('기기 1', server)))
    expect(new Set(answers.map(({ issuedKey }) => issuedKey)).size).toBe(1)
    expect(await stateOf(answers[0]?.issuedKey ?? '', server)).toBe('valid')
  })
})

describe('a start (rules/keys#changed-secret)', () => {
  test('refuses to start without a secret that valid keys need, with their number', async () => {
    const { keyId } = await ask('기기 1')
    await ask('기기 2')
    await expect(start(SECOND)).rejects.toThrow(/^KEY_SECRET is not the one [^\n]*\(2 that are not revoked\)/)
    await start(SECOND, FIRST)
    const server = await serverWith(SECOND, FIRST)
    await ask('기기 1', server)
    await expect(start(SECOND)).rejects.toThrow(
      /^KEY_SECRET_OLD lacks [^\n]*version 1\) that 1 keys still need/,
    )
    await expect(start(THIRD, FIRST)).rejects.toThrow(/^KEY_SECRET_OLD lacks [^\n]*version 2\)/)
    await expect(start(THIRD)).rejects.toThrow(/^KEY_SECRET is not the one [^\n]*\(2 that/)
    await ask('기기 2', server)
    await start(SECOND)
    await start(FIRST, SECOND)
    await expect(start(FIRST)).rejects.toThrow(/version 2\) that 2 keys/)
    expect((await server.call(revokeKey, { keyId, reason: '시험' }, admin)).status).toBe(200)
    await expect(start(FIRST)).rejects.toThrow(/version 2\) that 1 keys/)
  })

  test('issues nothing on a server whose secret no longer belongs to the database', async () => {
    await ask('기기 1')
    const stranger = await serverWith(THIRD)
    expect((await stranger.call(issueKey, { requestKey: '기기 9' }, person)).status).toBe(500)
    expect((await stranger.call(issueKey, { requestKey: '기기 1' }, person)).status).toBe(500)
    expect(JSON.stringify(maru.log).includes('KEY_SECRET is not the one')).toBe(true)
    const { rows } = await maru.database.pool.query(`select from issued_keys where request_key = '기기 9'`)
    expect(rows).toEqual([])
  })

  test('starts without a lost secret once the operator confirms; its keys are unknown', async () => {
    const lost = await ask('기기 1')
    const config = readConfig({ DATA_DIR: maru.dataDir, KEY_SECRET: THIRD })
    const said: string[] = []
    const forget = () => forgetKeySecretsForOperator(maru.database, config, (line) => said.push(line))
    await forget()
    expect(said).toEqual([expect.stringMatching(/^1 keys are unknown from now on/)])
    await start(THIRD)
    const server = await serverWith(THIRD)
    expect(await stateOf(lost.issuedKey, server)).toBe('unknown')
    expect(await stateOf((await ask('기기 1', server)).issuedKey, server)).toBe('valid')
    await forget()
    expect(said[1]).toMatch(/nothing is forgotten/)
  })
})

describe('who looks after a changed secret (rules/keys#changed-secret)', () => {
  test('sees how many keys need which secret, and whose they are; never a secret', async () => {
    const other = person
    await ask('기기 1')
    await ask('기기 2')
    person = await holderOf(maru, await partnerWith(maru))
    await ask('기기 3')
    const server = await serverWith(SECOND, FIRST)
    await ask('기기 3', server)
    const secrets = await server.call(listKeySecrets, {}, admin)
    const { rows } = await maru.database.pool.query('select version from key_secrets order by version desc')
    expect(secrets.data.secrets.map(({ secretVersion }) => secretVersion)).toEqual(
      rows.map(({ version }) => version as number),
    )
    expect(secrets.data.secrets.filter(({ keyCount }) => keyCount > 0)).toEqual([
      { secretVersion: expect.any(Number), state: 'current', since: expect.any(String), keyCount: 1 },
      { secretVersion: 1, state: 'former', since: expect.any(String), keyCount: 2 },
    ])
    for (const secret of [FIRST, SECOND]) expect(secrets.raw).not.toContain(secret)
    const { data } = await server.call(listFormerKeyHolders, {}, admin)
    expect(data).toMatchObject({
      totalCount: 1,
      users: [{ rowNumber: 1, userId: other.userId, keyCount: 2 }],
    })
    // The history says it of each key; to a server that has only the first, another one is gone.
    const history = await server.call(listKeys, { perPage: 3 }, admin)
    expect(history.data.keys.map(({ secretVersion }) => secretVersion === 1)).toEqual([false, true, true])
    expect((await maru.call(listKeySecrets, {}, admin)).data.secrets[0]?.state).toBe('gone')
  })

  test('reports keys of previous secrets in the metric and in npm run check', async () => {
    await ask('기기 1')
    const secret = secretOf(SECOND, FIRST)
    await countFormerKeys(maru.database.db, secret)
    const metrics = () => maru.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    expect((await metrics()).body).toContain('\nmaru_keys_of_former_secrets 1\n')

    const line = async (env: Record<string, string>) => {
      const config = readConfig({ DATA_DIR: maru.dataDir, ...env })
      const { database, services } = maru
      const parts = { config, database, storage: () => Promise.resolve(services.storage) }
      for await (const found of check(parts)) if (found.name === 'keys') return found
      return undefined
    }
    expect(await line({ KEY_SECRET: SECOND, KEY_SECRET_OLD: FIRST })).toMatchObject({
      isGood: true,
      line: 'KEY_SECRET fits; 1 keys still need the former secret of version 1',
    })
    expect(await line({ KEY_SECRET: SECOND })).toMatchObject({ isGood: false })
    expect(await line({ KEY_SECRET: FIRST, KEY_SECRET_OLD: SECOND })).toMatchObject({
      line: 'KEY_SECRET fits; no key needs a former one any more',
    })
    await countFormerKeys(maru.database.db, maru.services.keySecret)
    expect((await metrics()).body).toContain('\nmaru_keys_of_former_secrets 0\n')
  })
})
