import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CERTIFY_TYPE, checkId, login, signUp } from '../../../contract/account.ts'
import {
  approveRequests,
  listRequests,
  listRequestsOfUser,
  refuseRequests,
} from '../../../contract/approvals.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { updateUser } from '../../../contract/users.ts'
import { certifier } from '../../../dev/test-kit/certified.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { NewUser, TestUser } from '../../../dev/test-kit/people.ts'
import { startSmtp } from '../../../dev/test-kit/smtp.ts'

/* Requests for an account (design/accounts#approval-requests): who may decide which, all or none, once, with one mail. */
const smtp = await startSmtp()
const maru = useMaru({ SMTP_URL: smtp.url })
const { getCode, allSent } = certifier(maru, smtp)
afterAll(() => smtp.close())

const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let hr: TestUser
let user: TestUser
let since = 0

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr', name: '윤서연' })
  user = await maru.createUser()
  await maru.createPartner({ code: 'HEAD-1', affiliation: 'BEL001' })
  await maru.createPartner({ code: 'BUSAN-1', affiliation: 'BEL002' })
})
beforeEach(async () => {
  await sql(`delete from approval_requests where state = 'waiting'`)
  await allSent()
  since = smtp.mails.length
})
// Log lines about the mail server are no defect: the tests stop it.
const isMail = (msg: string) => msg === 'emails cannot be sent; they stay queued'
afterEach(() => {
  expect(maru.log.filter((line) => line.level >= 50 && !isMail(line.msg))).toEqual([])
})

/** Creates a user who waits for approval, with the number of the request. */
async function applicant(person: NewUser = {}): Promise<TestUser & { requestId: string }> {
  const made = await maru.createUser({ ...person, asked: true })
  const { rows } = await sql('select id from approval_requests where user_id = $1', [made.id])
  return { ...made, requestId: rows[0].id }
}

const validity = { validFrom: '2026-01-01', validTo: '2099-12-31' }
const card = { ...validity, roleCode: 'AUT003' }
const HEAD = { affiliationCode: 'BEL001', partnerCode: 'HEAD-1' }
const BUSAN = { affiliationCode: 'BEL002', partnerCode: 'BUSAN-1' }
type Approval = InputOf<typeof approveRequests>
const approve = (by: TestUser, requests: string[], change: Partial<Approval> | object = {}) =>
  maru.call(approveRequests, { requests, ...card, partners: [HEAD], ...change }, by)
const refuse = (by: TestUser, requests: string[], reason = '소속을 다시 확인해주세요.') =>
  maru.call(refuseRequests, { requests, reason }, by)
const list = async (by: TestUser, input = {}) => (await maru.call(listRequests, input, by)).data
const history = (by: TestUser, userId: string) => maru.call(listRequestsOfUser, { userId }, by)
const logIn = (by: { userId: string }, password = PASSWORD) =>
  maru.call(login, { loginId: by.userId, password })
async function mailsSince() {
  await allSent()
  return smtp.mails.slice(since)
}
const editApproved = (by: TestUser, of: TestUser, change = {}) =>
  maru.call(
    updateUser,
    {
      originalUserId: of.userId,
      userId: of.userId,
      affiliationCode: 'BEL001',
      position: '대리',
      name: '김하늘',
      phoneNumber: '01098765432',
      email: of.email,
      ...card,
      partnerCode: 'HEAD-1',
      approvalCode: 'MEMAP001',
      ...change,
    },
    by,
  )

/** Everything that a decision may change. */
async function everything(): Promise<unknown> {
  const { rows } = await sql(`select
    (select json_agg(u order by id) from users u) as users,
    (select json_agg(r order by id) from approval_requests r) as requests,
    (select count(*)::int from audit_log where action not like 'refusal.%') as audit`)
  return rows[0]
}

/** The call is refused, changes nothing and sends nothing. */
async function expectRefused(
  made: () => Promise<{ status: number; code: unknown }>,
  code: string,
  status = 400,
) {
  const before = await everything()
  expect(await made()).toMatchObject({ status, code })
  expect(await everything()).toEqual(before)
  expect(await mailsSince()).toEqual([])
}

describe('the list of waiting requests (rules/approvals#waiting-requests)', () => {
  test('is oldest first and shows who asked, when, and how often they were refused', async () => {
    const young = await applicant({
      createdAt: '2026-05-02 09:00:00+09',
      affiliation: 'BEL002',
      name: '나중',
    })
    const old = await applicant({ createdAt: '2026-05-01 09:00:00+09', name: '먼저' })
    await sql(
      `insert into approval_requests (login_id, name, email, affiliation_code, state, decided_by, decided_at, reason)
       values ('x.y', '먼저', $1, 'BEL001', 'refused', $2, now(), '다시')`,
      [old.email, hr.id],
    )
    const { totalCount, requests } = await list(hr)
    expect(totalCount).toBe(2)
    expect(requests.map(({ name }) => name)).toEqual(['먼저', '나중'])
    expect(requests[0]).toMatchObject({ userId: old.userId, email: old.email, refusedCount: 1 })
    expect(requests[1]).toEqual({
      requestId: young.requestId,
      userId: young.userId,
      name: '나중',
      affiliationCode: 'BEL002',
      affiliationName: '부산지사',
      position: '대리',
      phoneNumber: expect.stringMatching(/^010/),
      email: young.email,
      requestedAt: '2026-05-02 09:00:00',
      refusedCount: 0,
    })
  })

  test('finds requests by a part of name, ID or email, within reach alone', async () => {
    const found = await applicant({ name: '한찾음', loginId: 'look.for.me' })
    await applicant({ name: '남궁다른' })
    await maru.createUser({ asked: true, role: 'admin', name: '한찾음' })
    for (const keyword of ['찾음', 'LOOK.for', found.email]) {
      const { totalCount, requests } = await list(hr, { keyword })
      expect([totalCount, requests.map(({ userId }) => userId)]).toEqual([1, ['look.for.me']])
    }
    expect((await list(hr, { keyword: '없는이' })).totalCount).toBe(0)
  })

  test('has 10 rows a page and a stable order for requests of the same moment', async () => {
    const made = []
    for (let i = 0; i < 12; i += 1)
      made.push((await applicant({ createdAt: '2026-05-01 09:00:00+09' })).requestId)
    const pages = [await list(hr), await list(hr, { page: 2 }), await list(hr, { page: 3 })]
    expect(pages.map(({ requests }) => requests.length)).toEqual([10, 2, 0])
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([12, 12, 12])
    expect(pages.flatMap(({ requests }) => requests.map(({ requestId }) => requestId))).toEqual(made)
  })

  test('hides requests for 관리자 from 인사 관리자, and the caller’s own from everyone (rules/approvals#who-decides)', async () => {
    const boss = await applicant({ role: 'admin' })
    expect(await list(hr)).toEqual({ totalCount: 0, requests: [] })
    expect((await list(admin)).requests.map(({ userId }) => userId)).toEqual([boss.userId])
    await askFor(admin)
    expect((await list(admin)).totalCount).toBe(1)
  })

  test('is closed to 일반 사용자, as is every other call for approvals', async () => {
    const { requestId, userId } = await applicant()
    for (const made of [
      () => maru.call(listRequests, {}, user),
      () => approve(user, [requestId]),
      () => refuse(user, [requestId]),
      () => history(user, userId),
    ])
      await expectRefused(made, 'FORBIDDEN', 403)
  })
})

/**
 * Creates an open request for the account of a user who can decide. There should be none, and it must not help them.
 */
async function askFor({ id }: TestUser): Promise<string> {
  const { rows } = await sql(
    `insert into approval_requests (user_id, login_id, name, email, affiliation_code)
     select id, login_id, name, email, affiliation_code from users where id = $1 returning id`,
    [id],
  )
  return rows[0].id
}

describe('approving (rules/approvals#approve)', () => {
  test('grants the chosen role for one request and sends one mail', async () => {
    const person = await applicant()
    expect((await logIn(person)).code).toBe('ACCOUNT_NOT_APPROVED')
    expect((await approve(hr, [person.requestId])).data).toEqual({ approvedCount: 1 })
    const { rows } = await sql(
      `select u.approval_code, u.role_code, u.valid_from, u.valid_to, p.code as partner, r.state, r.decided_by
       from users u join partners p on p.id = u.partner_id join approval_requests r on r.user_id = u.id where u.id = $1`,
      [person.id],
    )
    expect(rows).toEqual([
      {
        approval_code: 'MEMAP001',
        role_code: 'AUT003',
        valid_from: '2026-01-01',
        valid_to: '2099-12-31',
        partner: 'HEAD-1',
        state: 'approved',
        decided_by: hr.id,
      },
    ])
    expect((await logIn(person)).status).toBe(200)
    const [mail, ...more] = await mailsSince()
    expect(more).toEqual([])
    expect(mail?.to).toEqual([person.email])
    expect(mail?.subject).toContain('승인이 완료되었습니다')
    expect(mail?.text).toContain(person.userId)
    expect(mail?.text).toContain('2026-01-01 ~ 2099-12-31')
    expect((await list(hr)).totalCount).toBe(0)
  })

  test('gives two affiliations their partner codes and writes one audit row', async () => {
    const people = [
      await applicant(),
      await applicant({ affiliation: 'BEL002' }),
      await applicant({ affiliation: 'BEL002' }),
    ]
    const ids = people.map(({ requestId }) => requestId)
    const answer = await approve(hr, ids, { partners: [HEAD, BUSAN], roleCode: 'AUT002' })
    expect(answer.data).toEqual({ approvedCount: 3 })
    const { rows } = await sql(
      `select p.code, u.role_code from users u join partners p on p.id = u.partner_id where u.id = any ($1) order by u.id`,
      [people.map(({ id }) => id)],
    )
    expect(rows).toEqual([
      { code: 'HEAD-1', role_code: 'AUT002' },
      { code: 'BUSAN-1', role_code: 'AUT002' },
      { code: 'BUSAN-1', role_code: 'AUT002' },
    ])
    const audit = await sql('select action, actor_id, target, detail from audit_log where request_id = $1', [
      answer.headers['x-request-id'],
    ])
    expect(audit.rows).toMatchObject([
      {
        action: 'user.approve',
        actor_id: hr.id,
        target: people.map(({ userId }) => userId).join(', '),
        detail: {
          users: people.map(({ id, userId }) => ({ id, loginId: userId })),
          roleCode: 'AUT002',
          ...validity,
        },
      },
    ])
    expect((await mailsSince()).flatMap(({ to }) => to).toSorted()).toEqual(
      people.map(({ email }) => email).toSorted(),
    )
  })

  test('mails applicants in their own language', async () => {
    const person = await applicant()
    await sql(`update users set language = 'en' where id = $1`, [person.id])
    await approve(hr, [person.requestId])
    expect((await mailsSince())[0]?.subject).toContain('Your account has been approved')
  })

  test.each([
    ['no partner code for an affiliation', { partners: [BUSAN] }, 'PARTNER_CHOICE_MISSING'],
    [
      'a partner of another affiliation',
      { partners: [{ ...HEAD, partnerCode: 'BUSAN-1' }] },
      'PARTNER_NOT_FOUND',
    ],
    ['an unknown partner', { partners: [HEAD, { ...BUSAN, partnerCode: 'NO-SUCH' }] }, 'PARTNER_NOT_FOUND'],
    ['an unknown authority', { roleCode: 'AUT999' }, 'CODE_NOT_FOUND'],
    ['an end before the start', { validTo: '2025-01-01' }, 'INPUT_INVALID'],
    ['a day that does not exist', { validFrom: '2026-02-30' }, 'INPUT_INVALID'],
    ['no partner codes', { partners: [] }, 'INPUT_INVALID'],
    ['two partner codes for one affiliation', { partners: [HEAD, HEAD] }, 'INPUT_INVALID'],
    ['a field more', { approvalCode: 'MEMAP001' }, 'INPUT_INVALID'],
  ])('is refused for %s and changes nothing', async (_, change, code) => {
    const { requestId } = await applicant()
    await expectRefused(() => approve(hr, [requestId], change), code)
    expect((await approve(hr, [requestId], change)).msg).toMatch(/\p{Script=Hangul}/u)
  })

  test.each([
    ['none', [], 'INPUT_INVALID'],
    ['101', Array.from({ length: 101 }, (_, i) => String(i + 1)), 'INPUT_INVALID'],
    ['one twice', ['1', '1'], 'INPUT_INVALID'],
    ['no number', ['x'], 'INPUT_INVALID'],
    ['an unknown one', ['999999999'], 'REQUEST_NOT_FOUND'],
  ])('is refused, like rejecting, for %s', async (_, ids, code) => {
    await expectRefused(() => approve(hr, ids), code)
    await expectRefused(() => refuse(hr, ids), code)
    if (code === 'INPUT_INVALID') expect((await approve(hr, ids)).field).toBe('requests')
  })
})

describe('a request for an account (rules/approvals#who-decides)', () => {
  test('is out of reach of 인사 관리자 for a 관리자 account, alone or among others', async () => {
    const boss = await applicant({ role: 'admin' })
    const other = await applicant()
    for (const ids of [[boss.requestId], [other.requestId, boss.requestId]]) {
      await expectRefused(() => approve(hr, ids), 'FORBIDDEN', 403)
      await expectRefused(() => refuse(hr, ids), 'FORBIDDEN', 403)
    }
    await expectRefused(() => history(hr, boss.userId), 'FORBIDDEN', 403)
    const grant = { roleCode: 'AUT001' }
    expect((await approve(admin, [boss.requestId, other.requestId], grant)).status).toBe(200)
    // Nor do they learn what became of it.
    expect((await approve(hr, [boss.requestId])).code).toBe('FORBIDDEN')
  })

  test('may be approved as 관리자 by 관리자 but not by 인사 관리자', async () => {
    const { requestId } = await applicant()
    await expectRefused(() => approve(hr, [requestId], { roleCode: 'AUT001' }), 'FORBIDDEN', 403)
    expect((await approve(admin, [requestId], { roleCode: 'AUT001' })).status).toBe(200)
  })

  test('is never decided by its own applicant, alone or among others', async () => {
    const by = await maru.createUser({ role: 'hr' })
    const own = await askFor(by)
    const other = await applicant()
    for (const ids of [[own], [other.requestId, own]]) {
      await expectRefused(() => approve(by, ids, { roleCode: 'AUT002' }), 'FORBIDDEN', 403)
      await expectRefused(() => refuse(by, ids), 'FORBIDDEN', 403)
    }
    await expectRefused(() => history(by, by.userId), 'FORBIDDEN', 403)
  })

  test('can no longer be decided once the function is revoked', async () => {
    const { requestId } = await applicant()
    await sql(`delete from role_functions where role_code = 'AUT002' and function_name = 'autho_user_manage'`)
    await expectRefused(() => approve(hr, [requestId]), 'FORBIDDEN', 403)
    await sql(`insert into role_functions values ('AUT002', 'autho_user_manage')`)
  })
})

describe('refusing a request (rules/approvals#refuse)', () => {
  test('mails the reason, deletes the account and keeps the rejected request', async () => {
    const person = await applicant({ name: '박거절' })
    const reason = '소속이 다릅니다.\n<b>부산지사</b>로 다시 신청해주세요.'
    expect((await refuse(hr, [person.requestId], reason)).data).toEqual({ refusedCount: 1 })
    const [mail, ...more] = await mailsSince()
    expect(more).toEqual([])
    expect(mail?.to).toEqual([person.email])
    expect(mail?.subject).toContain('승인 요청이 거절되었습니다')
    expect(mail?.text).toContain('소속이 다릅니다.')
    expect(mail?.text).toContain('<b>부산지사</b>로 다시 신청해주세요.')
    expect(mail?.html).toContain('&lt;b&gt;부산지사&lt;/b&gt;')
    expect((await logIn(person)).code).toBe('LOGIN_FAILED')
    const { rows } = await sql(
      `select user_id, login_id, name, email, state, decided_by, reason,
        (select count(*)::int from users u where u.id = $2) as users,
        (select count(*)::int from password_history h where h.user_id = $2) as passwords
       from approval_requests where id = $1`,
      [person.requestId, person.id],
    )
    expect(rows).toEqual([
      {
        user_id: null,
        login_id: person.userId,
        name: '박거절',
        email: person.email,
        state: 'refused',
        decided_by: hr.id,
        reason,
        users: 0,
        passwords: 0,
      },
    ])
  })

  test.each(['', '   \n ', '가'.repeat(501), 'a\u0000b'])(
    'needs a readable reason, not %j',
    async (reason) => {
      const { requestId } = await applicant()
      await expectRefused(() => refuse(hr, [requestId], reason), 'INPUT_INVALID')
      expect((await refuse(hr, [requestId], reason)).field).toBe('reason')
    },
  )

  test('lets the applicant sign up again with the same data and shows the rejection (rules/approvals#approval-history)', async () => {
    const form = {
      userId: 'again.kim',
      password: '푸른-바다-7고래',
      affiliationCode: 'BEL001',
      position: '과장',
      name: '김하늘',
      phoneNumber: '01098765432',
      email: 'again.kim@example.com',
      certificationType: CERTIFY_TYPE.signUp,
    }
    const ask = async () => {
      await allSent()
      const certificationCode = await getCode('signUp', form.email, form.userId)
      expect((await maru.call(signUp, { ...form, certificationCode })).status).toBe(200)
      const { requests } = await list(hr)
      return requests.find(({ userId }) => userId === form.userId)?.requestId ?? ''
    }
    const first = await ask()
    expect((await maru.call(checkId, { userId: form.userId })).code).toBe('USER_ID_TAKEN')
    await refuse(hr, [first], '직급을 확인해주세요.')
    expect((await maru.call(checkId, { userId: form.userId })).status).toBe(200)
    const second = await ask()
    expect(second).not.toBe(first)
    expect((await list(hr)).requests[0]).toMatchObject({ refusedCount: 1 })
    await approve(admin, [second])
    expect((await logIn({ userId: form.userId }, form.password)).status).toBe(200)
    expect((await history(hr, form.userId)).data.requests).toMatchObject([
      { requestId: second, state: 'A', deciderId: admin.userId, reason: '' },
      {
        requestId: first,
        state: 'R',
        userId: 'again.kim',
        deciderId: hr.userId,
        deciderName: '윤서연',
        decidedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        reason: '직급을 확인해주세요.',
      },
    ])
  })

  test('leaves no trace on the record of another person who takes the freed ID', async () => {
    const person = await applicant()
    await refuse(hr, [person.requestId])
    const other = await maru.createUser({
      loginId: person.userId,
      email: 'someone.else@example.com',
      asked: true,
    })
    expect((await history(hr, other.userId)).data.requests).toMatchObject([{ state: 'W' }])
  })

  test('keeps the person’s earlier actions in the audit log', async () => {
    const person = await applicant()
    await sql(
      `insert into audit_log (action, actor_id, target, address, request_id) values ('account.sign-up', $1, $2, '', 'then')`,
      [person.id, person.userId],
    )
    await refuse(hr, [person.requestId])
    const { rows } = await sql(`select actor_id, target from audit_log where request_id = 'then'`)
    // The audit rows are unchanged, though the account no longer exists.
    expect(rows).toEqual([{ actor_id: person.id, target: person.userId }])
  })
})

const outcomes = (answers: { code: string | undefined }[]): string[] =>
  answers.map(({ code }) => code ?? 'OK').toSorted()

describe('simultaneous decisions (rules/approvals#decided-once)', () => {
  test.each([
    ['approve twice', approve, approve],
    ['approve and refuse', approve, refuse],
    ['refuse twice', refuse, refuse],
  ] as const)(
    'on one request (%s) let one succeed, inform the other and send one mail',
    async (_, one, two) => {
      const person = await applicant()
      const answers = await Promise.all([
        one(hr, [person.requestId]),
        (two as typeof approve)(admin, [person.requestId]),
      ])
      expect(outcomes(answers)).toEqual(['OK', 'REQUEST_DECIDED'])
      expect(answers.find(({ code }) => code === 'REQUEST_DECIDED')?.msg).toBe(
        `그사이 다른 사용자가 처리한 요청이 있어 아무것도 변경하지 않았습니다. (${person.userId})`,
      )
      expect(await mailsSince()).toHaveLength(1)
    },
  )

  test('change nothing when one of the chosen was already decided, and name it', async () => {
    const [gone, stays, also] = [await applicant(), await applicant(), await applicant()]
    await refuse(admin, [gone.requestId])
    await allSent()
    since = smtp.mails.length
    const ids = [stays.requestId, gone.requestId, also.requestId]
    await expectRefused(() => approve(hr, ids), 'REQUEST_DECIDED')
    await expectRefused(() => refuse(hr, ids), 'REQUEST_DECIDED')
    expect((await approve(hr, ids)).msg).toContain(`(${gone.userId})`)
  })

  test('decide overlapping selections on two servers once each, without a deadlock', async () => {
    const twin = await maru.startTwin()
    const people = []
    for (let i = 0; i < 12; i += 1) people.push(await applicant())
    const ids = people.map(({ requestId }) => requestId)
    const made = Array.from({ length: 10 }, (_, i) => {
      const requests = ids.slice(i, i + 3).toSorted(() => (i % 2 ? 1 : -1))
      const input = { requests, ...card, partners: [HEAD] }
      return (i % 2 ? maru : twin).call(approveRequests, input, i % 3 ? hr : admin)
    })
    const answers = await Promise.all(made)
    const decided = answers.filter(({ status }) => status === 200).length
    expect(decided).toBeGreaterThan(0)
    expect(answers.every(({ status, code }) => status === 200 || code === 'REQUEST_DECIDED')).toBe(true)
    expect(await mailsSince()).toHaveLength(decided * 3)
  })

  test('send one mail from the list and from the edit form', async () => {
    const person = await applicant()
    const answers = await Promise.all([approve(hr, [person.requestId]), editApproved(admin, person)])
    expect(answers[1].status).toBe(200)
    expect(await mailsSince()).toHaveLength(1)
  })
})

describe('an approval through the user edit form (rules/approvals#approval-by-edit)', () => {
  test('decides the open request the same way, with the mail', async () => {
    const person = await applicant()
    expect((await editApproved(hr, person, { userId: `new.${person.userId}` })).status).toBe(200)
    expect((await list(hr)).totalCount).toBe(0)
    expect((await history(admin, `new.${person.userId}`)).data.requests).toMatchObject([
      { state: 'A', deciderId: hr.userId, userId: person.userId },
    ])
    const mails = await mailsSince()
    expect(mails.map(({ to }) => to)).toEqual([[person.email]])
    expect(mails[0]?.text).toContain(`new.${person.userId} 계정이 승인되었습니다`)
    expect((await approve(admin, [person.requestId])).code).toBe('REQUEST_DECIDED')
  })

  test('leaves the request open and sends no mail if the edit does not approve', async () => {
    const person = await applicant()
    expect((await editApproved(hr, person, { approvalCode: 'MEMAP002' })).status).toBe(200)
    expect((await list(hr)).totalCount).toBe(1)
    expect(await mailsSince()).toEqual([])
  })

  test('makes no request and sends no mail if it is revoked and given again (rules/approvals#request)', async () => {
    const person = await maru.createUser()
    await editApproved(hr, person, { approvalCode: 'MEMAP002' })
    expect((await list(hr)).totalCount).toBe(0)
    await editApproved(hr, person)
    expect(await mailsSince()).toEqual([])
    expect((await history(hr, person.userId)).data.requests).toEqual([])
  })

  test('decides nothing in a refused edit', async () => {
    const person = await applicant()
    await expectRefused(() => editApproved(hr, person, { partnerCode: 'BUSAN-1' }), 'PARTNER_NOT_FOUND')
  })
})

test('does not list an account approved otherwise, nor delete it by a rejection', async () => {
  const person = await applicant()
  await sql(`update users set approval_code = 'MEMAP001' where id = $1`, [person.id])
  expect((await list(hr)).totalCount).toBe(0)
  await expectRefused(() => refuse(hr, [person.requestId]), 'REQUEST_DECIDED')
  await expectRefused(() => approve(hr, [person.requestId]), 'REQUEST_DECIDED')
  expect((await logIn(person)).status).toBe(200)
})

test('keeps a decision made while mail is down, and sends its mail later (rules/approvals#approval-mails, design/mail-and-notifications#mail-queue)', async () => {
  const person = await applicant()
  await smtp.down()
  expect((await approve(hr, [person.requestId])).status).toBe(200)
  await smtp.up()
  expect((await smtp.mailTo(person.email, since)).subject).toContain('승인이 완료되었습니다')
})

test('answers USER_NOT_FOUND for the history of an unknown or withdrawn user', async () => {
  const gone = await maru.createUser()
  await sql('update users set withdrawn_at = now() where id = $1', [gone.id])
  for (const id of ['nobody.at.all', gone.userId])
    expect(await history(hr, id)).toMatchObject({ status: 400, code: 'USER_NOT_FOUND' })
})
