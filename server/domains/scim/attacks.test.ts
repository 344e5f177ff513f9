import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CERTIFY_TYPE, resetPassword } from '../../../contract/account.ts'
import { grantFunction } from '../../../contract/roles.ts'
import { suspendUser, withdrawUser } from '../../../contract/users.ts'
import { certifier } from '../../../dev/test-kit/certified.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { scimOf } from '../../../dev/test-kit/scim.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'

/* Attacks with a stolen SCIM token, and against decisions of administrators and owners (rules/scim). */

const smtp = await startSmtp()
const maru = useMaru({ SMTP_URL: smtp.url })
const { getCode } = certifier(maru, smtp)
const { sql, addProvider, startSessionOf } = scimOf(maru)
afterAll(() => smtp.close())

type Provider = Awaited<ReturnType<typeof addProvider>>
let thief: Provider
beforeAll(async () => {
  thief = await addProvider('thief')
})

let count = 0
const bodyOf = (more: object = {}) => {
  const userName = `victim${(count += 1)}@gana.kr`
  return { userName, externalId: `id-${userName}`, displayName: '홍길동', ...more }
}
async function create({ scim } = thief, body = bodyOf()) {
  const { status, json } = await scim('POST', '/Users', body)
  expect(status, JSON.stringify(json)).toBe(201)
  return { ...body, id: String(json.id) }
}
const replace = (id: string, value: object, { scim } = thief) =>
  scim('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', value }] })
const row = async (id: string) => (await sql('select * from users where id = $1', [id]))[0] ?? {}
const idOf = async (id: string) => String((await row(id))['login_id'])
const replaceId = (id: string, by: Provider) => replace(id, { externalId: `other-${id}` }, by)
const linksOf = async (id: string) =>
  (await sql('select subject from identities where user_id = $1', [id])).map(({ subject }) => subject)
/** Adopts an account in the database. */
const adopt = async (email: string) => {
  const { id } = await maru.createUser({ email })
  await sql(`insert into scim_users (user_id, provider_id, user_name, is_made) values ($1, $2, $3, false)`, [
    id,
    thief.providerId,
    email,
  ])
  return id
}

describe('a thief of a token', () => {
  test('cannot reset a password by an email that SCIM has changed (rules/scim#fields)', async () => {
    const { id, userName } = await create()
    expect((await replace(id, { emails: [{ value: 'thief@evil.kr', type: 'work' }] })).status).toBe(200)
    const userId = await idOf(id)
    const certificationCode = await getCode('resetPassword', 'thief@evil.kr', userId)
    const reset = () =>
      maru.call(resetPassword, {
        userId,
        email: 'thief@evil.kr',
        certificationType: CERTIFY_TYPE.resetPassword,
        certificationCode,
      })
    expect((await reset()).code).toBe('FACTOR_RESET_HOLD')
    expect((await smtp.mailTo(userName)).text).toContain('thief@evil.kr')
    await sql(`update scim_users set email_changed_at = now() - interval '4 days' where user_id = $1`, [id])
    expect((await reset()).status).toBe(200)
  })

  test('cannot change the email of an adopted account (rules/scim#fields)', async () => {
    const id = await adopt('adopted@gana.kr')
    const { status, json } = await replace(id, {
      title: '부장',
      emails: [{ value: 'thief2@evil.kr', type: 'work' }],
    })
    expect(status).toBe(200)
    expect(json).toMatchObject({ title: '부장', emails: [{ value: 'adopted@gana.kr' }] })
    expect(await row(id)).toMatchObject({ email: 'adopted@gana.kr', position: '부장' })
    // No external ID opens it.
    expect((await replace(id, { externalId: 'thief' })).status).toBe(200)
    expect(await linksOf(id)).toEqual([])
  })

  test('cannot link an account without a mail to its owner (rules/scim#fields)', async () => {
    const { id, userName } = await create()
    await replace(id, { externalId: `thief-${id}`, emails: [{ value: 'thief3@evil.kr', type: 'work' }] })
    expect(await linksOf(id)).toEqual([`thief-${id}`])
    const subjects = () =>
      smtp.mails
        .filter(({ to }) => to.includes(userName))
        .map(({ subject }) => subject)
        .toSorted()
    await expect.poll(subjects).toEqual([expect.stringContaining('이메일'), expect.stringContaining('연결')])
  })

  test('cannot take the ID of another user (rules/scim#create)', async () => {
    const { userId } = await maru.createUser({ loginId: 'park.mina' })
    const { id } = await create(thief, bodyOf({ userName: `${userId.toUpperCase()}@evil.kr` }))
    expect((await row(id))['login_id']).toBe('park.mina2')
  })

  test('cannot lift what administrators and owners decided (rules/scim#active)', async () => {
    const suspended = await create()
    const withdrawn = await create()
    const left = await create()
    await replace(suspended.id, { active: false })
    await sql('update users set suspended_at = null, suspended_for = null where id = $1', [suspended.id])
    const why = { userId: await idOf(suspended.id), suspendedFor: 'INCIDENT', reason: '' } as const
    expect((await maru.call(suspendUser, why, thief.admin)).status).toBe(200)
    await maru.call(withdrawUser, { userId: await idOf(withdrawn.id) }, thief.admin)
    await sql('update users set withdrawn_at = now(), withdrawn_by = id where id = $1', [left.id])
    expect((await replace(suspended.id, { active: true })).json.active).toBe(false)
    // A withdrawal and a new creation lift nothing.
    expect((await thief.scim('DELETE', `/Users/${suspended.id}`)).status).toBe(204)
    expect((await thief.scim('POST', '/Users', suspended)).json).toMatchObject({
      id: suspended.id,
      active: false,
    })
    for (const { id, ...body } of [withdrawn, left]) {
      expect((await thief.scim('POST', '/Users', body)).status).toBe(409)
      expect((await replace(id, { active: true })).status).toBe(404)
    }
  })

  test('reads no user of another provider by groups and filters (rules/scim#reach)', async () => {
    const other = await addProvider('other')
    const { id, userName } = await create(other)
    const mine = (await thief.scim('POST', '/Groups', { displayName: 'Mine', members: [{ value: id }] })).json
    expect(mine.members).toEqual([])
    for (const filter of [`id eq "${id}"`, `userName eq "${userName}" or userName pr`, `not (id eq "0")`]) {
      const { json } = await thief.scim('GET', `/Users?filter=${encodeURIComponent(filter)}&count=200`)
      expect(JSON.stringify(json), filter).not.toContain(userName)
    }
    const theirs = (await other.scim('POST', '/Groups', { displayName: 'Theirs', members: [{ value: id }] }))
      .json
    const filter = encodeURIComponent(`members eq "${id}" or displayName pr`)
    expect(JSON.stringify((await thief.scim('GET', `/Groups?filter=${filter}`)).json)).not.toContain('Theirs')
    expect((await thief.scim('PUT', `/Groups/${theirs.id}`, { displayName: 'x' })).status).toBe(404)
  })
})

describe('another person', () => {
  test('does not get the withdrawn account of the same name (rules/scim#delete)', async () => {
    const { id, ...body } = await create()
    await thief.scim('DELETE', `/Users/${id}`)
    const { status, json } = await thief.scim('POST', '/Users', { ...body, externalId: 'someone-else' })
    expect([status, json.scimType]).toEqual([409, 'uniqueness'])
    expect(await row(id)).toMatchObject({ withdrawn_at: expect.any(Date) })
  })
})

describe('the limit', () => {
  test('counts suspensions, withdrawals and lost links together (rules/scim#limit)', async () => {
    const mixed = await addProvider('mixed')
    const people = await Promise.all(Array.from({ length: 24 }, () => create(mixed)))
    const session = await startSessionOf(people[23]?.id ?? '')
    const end = ({ id, userName }: { id: string; userName: string }, index: number) =>
      [
        () => replace(id, { active: false }, mixed),
        () => mixed.scim('PUT', `/Users/${id}`, { userName, active: 'False' }),
        () => mixed.scim('DELETE', `/Users/${id}`),
        () => replaceId(id, mixed),
      ][index % 4]?.()
    for (const [index, person] of people.slice(0, 20).entries())
      expect((await end(person, index))?.status, String(index)).toBeLessThan(300)
    for (const [index, person] of people.slice(20).entries()) {
      const answer = await end(person, index)
      expect([answer?.status, answer?.json.status]).toEqual([429, '429'])
    }
    expect((await maru.callRaw('/cm/v1/header', {}, { session })).status).toBe(200)
    expect(await linksOf(people[23]?.id ?? '')).toEqual([people[23]?.externalId])
  })

  test('does not grow by accounts that were created for it (rules/scim#limit)', async () => {
    const grown = await addProvider('grown')
    const { id } = await create(grown)
    await sql('insert into scim_endings (provider_id) select $1 from generate_series(1, 20)', [
      grown.providerId,
    ])
    await sql(
      `with made as (
        insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code)
        select 'grown' || n, '', 'n', '', '', 'grown' || n || '@gana.kr', 'BEL001', 'AUT003', 'MEMAP001' from generate_series(1, 300) n returning id)
      insert into scim_users (user_id, provider_id, user_name, is_made) select id, $1, 'grown' || id, true from made`,
      [grown.providerId],
    )
    expect((await replace(id, { active: false }, grown)).status).toBe(429)
  })
})

describe('an account that becomes one of HR', () => {
  test('loses link and sessions that the provider controlled (rules/scim#reach)', async () => {
    const { id } = await create()
    const session = await startSessionOf(id)
    const role = 'AUT971'
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ($1, '담당', 'Desk', 971) on conflict do nothing`,
      [role],
    )
    await sql('update users set role_code = $2 where id = $1', [id, role])
    const grant = { roleCode: role, functionName: 'autho_user_manage' } as const
    expect((await maru.call(grantFunction, grant, thief.admin)).status).toBe(200)
    expect(await linksOf(id)).toEqual([])
    expect((await maru.callRaw('/cm/v1/header', {}, { session })).status).toBe(401)
    expect((await replace(id, { externalId: 'thief' })).status).toBe(403)
  })
})
