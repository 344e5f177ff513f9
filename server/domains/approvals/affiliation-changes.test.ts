import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  approveAffiliationChanges,
  approveRequests,
  cancelAffiliationChange,
  listRequests,
  listRequestsOfUser,
  refuseAffiliationChanges,
  refuseRequests,
} from '../../../contract/approvals.ts'
import { getUser, updateUser } from '../../../contract/users.ts'
import { certifier } from '../../../dev/test-kit/certified.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'

const smtp = await startSmtp()
const maru = useMaru({ SMTP_URL: smtp.url })
const { allSent } = certifier(maru, smtp)
afterAll(() => smtp.close())

const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let hr: TestUser
let person: TestUser
let since = 0

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
  await maru.createPartner({ code: 'HEAD-1', affiliation: 'BEL001' })
  await maru.createPartner({ code: 'BUSAN-1', affiliation: 'BEL002' })
  await maru.createPartner({ code: 'DAEJEON-1', affiliation: 'BEL003' })
})
beforeEach(async () => {
  await sql(`delete from approval_requests where state = 'waiting'`)
  person = await somebody()
  await allSent()
  since = smtp.mails.length
})

const BUSAN = { affiliationCode: 'BEL002', partnerCode: 'BUSAN-1' }

/** Creates a user who passed the password re-entry and whose partner code is one of the head office. */
async function somebody(partner = 'HEAD-1'): Promise<TestUser> {
  const made = await maru.createUser()
  await sql('update sessions set password_checked_at = now() where user_id = $1', [made.id])
  await sql('update users set partner_id = (select id from partners where code = $2) where id = $1', [
    made.id,
    partner,
  ])
  return made
}
const rowOf = async ({ id }: TestUser) =>
  (
    await sql(
      `select u.affiliation_code, u.position, p.code as partner_code
       from users u left join partners p on p.id = u.partner_id where u.id = $1`,
      [id],
    )
  ).rows[0]
const saveOwn = (who: TestUser, affiliationCode: string, position = '과장') =>
  maru.call(
    updateUser,
    {
      originalUserId: who.userId,
      userId: who.userId,
      affiliationCode,
      position,
      name: '김하늘',
      phoneNumber: '01098765432',
      email: who.email,
    },
    who,
  )
const ask = async (who: TestUser, to = 'BEL002') => (await saveOwn(who, to)).data.requestId ?? ''
const own = async (who: TestUser) => (await maru.call(getUser, {}, who)).data
const approve = (by: TestUser, requests: string[], partners = [BUSAN]) =>
  maru.call(approveAffiliationChanges, { requests, partners }, by)
const refuse = (by: TestUser, requests: string[]) =>
  maru.call(refuseAffiliationChanges, { requests, reason: '인사 발령이 없습니다.' }, by)
const list = async (by: TestUser) => (await maru.call(listRequests, {}, by)).data
const mails = async () => {
  await allSent()
  return smtp.mails.slice(since)
}
const states = async (who: TestUser) =>
  (await sql('select state from approval_requests where user_id = $1 order by id', [who.id])).rows.map(
    (row) => row.state,
  )

describe('changing the own affiliation (rules/users#affiliation-change)', () => {
  test('requires approval for a user with a partner code, and saves the other fields', async () => {
    expect((await own(person)).affiliationByRequest).toBe(true)
    const { data } = await saveOwn(person, 'BEL002')
    expect(data).toEqual({ userId: person.userId, requestId: expect.any(String) })
    expect(await rowOf(person)).toEqual({
      affiliation_code: 'BEL001',
      position: '과장',
      partner_code: 'HEAD-1',
    })
    expect((await own(person)).affiliationRequest).toEqual({
      newAffiliationCode: 'BEL002',
      newAffiliationName: '부산지사',
      requestedAt: expect.any(String),
    })
    // Saved again with the affiliation that it still is, the request stays.
    expect((await saveOwn(person, 'BEL001', '차장')).data).toEqual({ userId: person.userId })
    expect(await states(person)).toEqual(['waiting'])
  })

  test('takes effect immediately without a partner code', async () => {
    await sql('update users set partner_id = null where id = $1', [person.id])
    expect(await own(person)).not.toHaveProperty('affiliationByRequest')
    expect((await saveOwn(person, 'BEL002')).data).toEqual({ userId: person.userId })
    expect((await rowOf(person)).affiliation_code).toBe('BEL002')
    expect(await states(person)).toEqual([])
  })

  test('replaces the open request, which can no longer be decided', async () => {
    const first = await ask(person)
    const second = await ask(person, 'BEL003')
    expect(await states(person)).toEqual(['withdrawn', 'waiting'])
    expect(await approve(admin, [first])).toMatchObject({ status: 400, code: 'REQUEST_DECIDED' })
    expect(
      (await approve(admin, [second], [{ affiliationCode: 'BEL003', partnerCode: 'DAEJEON-1' }])).status,
    ).toBe(200)
  })

  test('can be taken back, behind the password gate', async () => {
    await ask(person)
    await sql('update sessions set password_checked_at = null where user_id = $1', [person.id])
    const cancel = () => maru.call(cancelAffiliationChange, {}, person)
    expect((await cancel()).code).toBe('PASSWORD_CHECK_REQUIRED')
    await sql('update sessions set password_checked_at = now() where user_id = $1', [person.id])
    expect((await cancel()).status).toBe(200)
    expect(await states(person)).toEqual(['withdrawn'])
    expect((await cancel()).code).toBe('REQUEST_NOT_FOUND')
    expect(await own(person)).not.toHaveProperty('affiliationRequest')
  })

  test('is not possible to a closed affiliation (rules/affiliations#close)', async () => {
    await sql(`update codes set closed_at = now() where code = 'BEL006'`)
    expect((await saveOwn(person, 'BEL006')).code).toBe('AFFILIATION_CLOSED')
    await sql(`update codes set closed_at = null where code = 'BEL006'`)
  })
})

describe('deciding a change of affiliation (rules/approvals#change-of-affiliation)', () => {
  test('lists the request with both affiliations for users who may decide it', async () => {
    const requestId = await ask(person)
    expect(await list(hr)).toMatchObject({
      totalCount: 1,
      requests: [
        {
          requestId,
          userId: person.userId,
          affiliationName: '본사',
          newAffiliationCode: 'BEL002',
          newAffiliationName: '부산지사',
        },
      ],
    })
    expect((await approve(person, [requestId])).code).toBe('FORBIDDEN')
    const ofAdmin = await ask(
      await (async () => {
        const made = await somebody()
        await sql(`update users set role_code = 'AUT001' where id = $1`, [made.id])
        return made
      })(),
    )
    expect((await list(hr)).totalCount).toBe(1)
    expect((await approve(hr, [ofAdmin])).code).toBe('FORBIDDEN')
  })

  test('sets affiliation and partner code on approval, mails the user and logs it once', async () => {
    const requestId = await ask(person)
    expect(
      (await approve(hr, [requestId], [{ affiliationCode: 'BEL001', partnerCode: 'HEAD-1' }])).code,
    ).toBe('PARTNER_CHOICE_MISSING')
    expect(
      (await approve(hr, [requestId], [{ affiliationCode: 'BEL002', partnerCode: 'HEAD-1' }])).code,
    ).toBe('PARTNER_NOT_FOUND')
    expect((await approve(hr, [requestId])).data).toEqual({ approvedCount: 1 })
    expect(await rowOf(person)).toMatchObject({ affiliation_code: 'BEL002', partner_code: 'BUSAN-1' })
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: [person.email], subject: expect.stringContaining('소속 변경이 승인') })
    const { rows } = await sql('select action, detail, records from audit_log order by id desc limit 1')
    expect(rows[0]).toMatchObject({
      action: 'user.approve-affiliation',
      detail: { moves: [{ id: person.id, loginId: person.userId, before: 'BEL001', after: 'BEL002' }] },
      records: [`user/${person.id}`],
    })
    expect((await approve(admin, [requestId])).code).toBe('REQUEST_DECIDED')
    const { data } = await maru.call(listRequestsOfUser, { userId: person.userId }, admin)
    expect(data.requests).toMatchObject([
      { state: 'A', affiliationName: '본사', newAffiliationName: '부산지사' },
    ])
  })

  test('leaves a rejected account as it is and mails the reason', async () => {
    const requestId = await ask(person)
    expect((await refuse(hr, [requestId])).data).toEqual({ refusedCount: 1 })
    expect(await rowOf(person)).toMatchObject({ affiliation_code: 'BEL001', partner_code: 'HEAD-1' })
    expect((await mails())[0]?.text).toContain('인사 발령이 없습니다.')
    expect(await states(person)).toEqual(['refused'])
  })

  test('lets only one of two concurrent decisions succeed', async () => {
    const requestId = await ask(person)
    const answers = await Promise.all([approve(admin, [requestId]), refuse(hr, [requestId])])
    expect(answers.filter(({ code }) => code === 'REQUEST_DECIDED')).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await mails()).toHaveLength(1)
  })

  test('is no request for an account: neither call decides the other kind', async () => {
    const requestId = await ask(person)
    const card = { validFrom: '2026-01-01', validTo: '2099-12-31', roleCode: 'AUT003' }
    const asAccount = { requests: [requestId], ...card, partners: [BUSAN] }
    expect((await maru.call(approveRequests, asAccount, admin)).code).toBe('REQUEST_NOT_FOUND')
    expect((await maru.call(refuseRequests, { requests: [requestId], reason: '아님' }, admin)).code).toBe(
      'REQUEST_NOT_FOUND',
    )
    const applicant = await maru.createUser({ asked: true })
    const { rows } = await sql('select id from approval_requests where user_id = $1', [applicant.id])
    expect((await refuse(admin, [rows[0].id])).code).toBe('REQUEST_NOT_FOUND')
    expect(await rowOf(person)).toBeDefined()
  })

  test('refuses to approve a withdrawn user or a closed affiliation', async () => {
    const requestId = await ask(person)
    await sql(`update codes set closed_at = now() where code = 'BEL002'`)
    expect((await approve(admin, [requestId])).code).toBe('AFFILIATION_CLOSED')
    await sql(`update codes set closed_at = null where code = 'BEL002'`)
    await sql('update users set withdrawn_at = now() where id = $1', [person.id])
    expect((await list(admin)).totalCount).toBe(0)
    expect((await approve(admin, [requestId])).code).toBe('REQUEST_DECIDED')
  })

  test('decides the request by an edit to that affiliation, with the same mail', async () => {
    await ask(person)
    const edit = (affiliationCode: string, partnerCode: string) =>
      maru.call(
        updateUser,
        {
          originalUserId: person.userId,
          userId: person.userId,
          affiliationCode,
          position: '대리',
          name: '김하늘',
          phoneNumber: '01098765432',
          email: person.email,
          validFrom: '2026-01-01',
          validTo: '2099-12-31',
          partnerCode,
          roleCode: 'AUT003',
          approvalCode: 'MEMAP001',
        },
        admin,
      )
    expect((await edit('BEL003', 'DAEJEON-1')).status).toBe(200)
    expect(await states(person)).toEqual(['waiting'])
    expect((await edit('BEL002', 'BUSAN-1')).status).toBe(200)
    expect(await states(person)).toEqual(['approved'])
    expect(await mails()).toHaveLength(1)
  })
})
