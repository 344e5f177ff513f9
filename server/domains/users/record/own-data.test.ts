import { beforeAll, describe, expect, test } from 'vitest'
import { issueKey } from '../../../../contract/keys.ts'
import { listNotifications } from '../../../../contract/notifications.ts'
import { exportOwnData, getUser, OWN_DATA } from '../../../../contract/users.ts'
import { writeNotice } from '../../../../dev/test-kit/files.ts'
import { holderOf, partnerWith } from '../../../../dev/test-kit/keys.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows as Record<string, unknown>[]

let kim: TestUser
let lee: TestUser
let noticeId: string
let issuedKey: string
const open = ({ id }: TestUser) =>
  sql('update sessions set password_checked_at = now() where user_id = $1', [id])
const download = (by: TestUser, language = 'ko') =>
  maru.call(exportOwnData, {}, { session: by.session, language })
type Data = Record<(typeof OWN_DATA)[number], Record<string, unknown>[]>
const dataOf = async (by: TestUser) => JSON.parse((await download(by)).raw) as Data

beforeAll(async () => {
  const partner = await partnerWith(maru)
  kim = await holderOf(maru, partner, { name: '김본인', phoneNumber: '01011112222' })
  lee = await holderOf(maru, partner, { name: '이타인', phoneNumber: '01033334444' })
  for (const person of [kim, lee]) {
    await open(person)
    noticeId = await writeNotice(maru, person)
    await sql(`insert into notice_comments (notice_id, author_id, body) values ($1, $2, $3)`, [
      noticeId,
      person.id,
      `댓글 "${person.userId}"`,
    ])
    await sql(`insert into notice_reads (notice_id, user_id) values ($1, $2)`, [noticeId, person.id])
    await sql(`insert into notifications (kind, user_id) values ('KEY_REVOKED', $1)`, [person.id])
    await sql(`insert into login_networks (user_id, network) values ($1, '10.9.0.0/24')`, [person.id])
    await sql(
      `insert into program_tokens (user_id, name, token_hash, expires_at) values ($1, '설치', $2, now() + interval '1 day')`,
      [person.id, Buffer.from(`hash of ${person.userId}`)],
    )
    await sql(
      `with app as (insert into totp_secrets (user_id, sealed, last_step) values ($1, $2, 0))
       , key as (insert into passkeys (user_id, name, rp_id, credential_id, public_key, counter, transports)
         values ($1, '내 열쇠', 'portal.maru.kr', 'credential-' || $1::bigint, $2, 0, '{}'))
       insert into recovery_codes (user_id, code_hash) values ($1, $3)`,
      [person.id, Buffer.from(`sealed of ${person.userId}`), Buffer.from(`code of ${person.userId}`)],
    )
    await sql(
      `update sessions set factor_checked_at = now(), factor_checked_by = 'TOTP' where user_id = $1`,
      [person.id],
    )
    const { data } = await maru.call(issueKey, { requestKey: `device of ${person.userId}` }, person)
    issuedKey = data.issuedKey
  }
  const admin = await maru.createUser({ role: 'admin', name: '강조회' })
  expect((await maru.call(getUser, { userId: kim.userId }, admin)).status).toBe(200)
})

describe('the file of one’s own data (rules/retention#own-data)', () => {
  test('holds each part of the caller, and nothing of anybody else', async () => {
    const answer = await download(kim)
    expect(answer.status).toBe(200)
    const data = JSON.parse(answer.raw) as Data
    expect(Object.keys(data)).toEqual(OWN_DATA)
    expect(data.account).toMatchObject([
      { userId: kim.userId, name: '김본인', phoneNumber: '01011112222', email: kim.email },
    ])
    expect(data.comments).toMatchObject([{ text: `댓글 "${kim.userId}"` }])
    expect(data.keys).toMatchObject([{ requestKey: `device of ${kim.userId}`, revokedAt: null }])
    expect(data.seenBy).toMatchObject([{ name: '강조회', userId: expect.any(String), act: 'read' }])
    for (const part of [
      'notices',
      'confirmations',
      'programs',
      'notifications',
      'sessions',
      'networks',
    ] as const)
      expect(data[part]).toHaveLength(1)
    expect(data.secondFactors.map(({ kind }) => kind)).toEqual(['app', 'passkey', 'recoveryCode'])
    expect(answer.raw).not.toMatch(/이타인|01033334444/)
    expect(answer.raw).not.toContain(lee.userId)
  })

  test('holds no secret: no hash, no token, no session, no value of a key', async () => {
    const { raw } = await download(lee)
    const hashes = await sql(
      `select password_hash as secret from users where id = $1
       union all select encode(token_hash, 'hex') from sessions where user_id = $1
       union all select encode(token_hash, 'hex') from program_tokens where user_id = $1
       union all select encode(sealed, 'hex') from totp_secrets where user_id = $1
       union all select encode(code_hash, 'hex') from recovery_codes where user_id = $1`,
      [lee.id],
    )
    expect(hashes.length).toBeGreaterThan(2)
    for (const secret of [lee.session, issuedKey, ...hashes.map((row) => String(row['secret']))])
      expect(raw).not.toContain(secret)
    expect(raw).not.toMatch(/hash|token_/i)
  })

  test('holds no notification that the portal shows no more (rules/notifications#kinds)', async () => {
    const former = await maru.createUser({ role: 'admin' })
    await open(former)
    await sql(
      `insert into notifications (kind, user_id, actor_id, notice_id, detail) values
        ('KEY_REVOKED', $1, $2, null, '{}'), ('EMERGENCY_LOGIN', $1, $2, null, '{"address":"198.51.100.7"}'),
        ('NOTICE_MENTION', $1, $2, $3, '{}'), ('NOTICE_MENTION', $1, $2, $4, '{}')`,
      [former.id, kim.id, await writeNotice(maru, kim), noticeId],
    )
    const kindsOf = async () => (await dataOf(former)).notifications.map(({ kind }) => kind)
    expect(await kindsOf()).toHaveLength(4)
    await sql(`update users set role_code = 'AUT003' where id = $1`, [former.id])
    await sql(`update notices set audience_roles = '{AUT001}' where id = $1`, [noticeId])
    const shown = (await maru.call(listNotifications, {}, former)).data.notifications
    expect(shown.map(({ kind }) => kind).toSorted()).toEqual(['KEY_REVOKED', 'NOTICE_MENTION'])
    expect(await kindsOf()).toEqual(['KEY_REVOKED', 'NOTICE_MENTION'])
    await sql(`update notices set audience_roles = null where id = $1`, [noticeId])
  })

  test('is whole however much there is', async () => {
    const many = await holderOf(maru, await partnerWith(maru))
    await open(many)
    await sql(
      `insert into notice_comments (notice_id, author_id, body) select $1, $2, '글 ' || n from generate_series(1, 1200) n`,
      [noticeId, many.id],
    )
    const { comments, keys } = await dataOf(many)
    expect(comments.map(({ text }) => text)).toEqual(Array.from({ length: 1200 }, (_, n) => `글 ${n + 1}`))
    expect(keys).toEqual([])
  })

  test('requires the password again and logs each export, and nothing else', async () => {
    const closed = await maru.createUser()
    const records = async () => [
      await sql(`select target from audit_log where action = 'account.export' and actor_id = $1`, [
        closed.id,
      ]),
      await sql(
        `select subjects from access_log where actor_id = $1 and act = 'export' and call = $2 and result = ''`,
        [closed.id, exportOwnData.path],
      ),
    ]
    expect((await download(closed)).code).toBe('PASSWORD_CHECK_REQUIRED')
    expect(await records()).toEqual([[], []])
    await open(closed)
    expect((await download(closed, 'en')).status).toBe(200)
    expect(await records()).toEqual([[{ target: closed.userId }], [{ subjects: [closed.id] }]])
  })

  test('leaves one at a time', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => download(kim)))
    const codes = new Set(answers.map(({ status, code }) => (status === 200 ? 'done' : code)))
    expect([...codes].filter((code) => code !== 'done' && code !== 'EXPORT_BUSY')).toEqual([])
    expect(codes).toContain('done')
    expect((await download(kim)).status).toBe(200)
  })
})
