import { beforeEach, describe, expect, test } from 'vitest'
import {
  confirmRights,
  getReview,
  listHistory,
  listReviews,
  signReview,
  takeRights,
  withdrawRights,
  withdrawRole,
} from '../../../../contract/audit.ts'
import { getToDo } from '../../../../contract/home.ts'
import { listNotifications } from '../../../../contract/notifications.ts'
import { FUNCTIONS } from '../../../../contract/permissions.ts'
import { createRole, grantFunction } from '../../../../contract/roles.ts'
import { suspendUser } from '../../../../contract/users.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
const owner = async (text: string, values: unknown[] = []) => (await maru.owner.query(text, values)).rows

let admin: TestUser
let other: TestUser
let hr: TestUser
let user: TestUser
let quarter: string

beforeEach(async () => {
  await emptied()
  const [now] = (await owner(`select to_char(now() at time zone 'Asia/Seoul', 'YYYY-"Q"Q') as quarter`)) as {
    quarter: string
  }[]
  quarter = now?.quarter ?? ''
  await owner(`update users set withdrawn_at = now() where role_code <> 'AUT003'`)
  await owner(`delete from role_functions where role_code not in ('AUT001', 'AUT002', 'AUT003')`)
  admin = await maru.createUser({ role: 'admin', name: '검토자' })
  other = await maru.createUser({ role: 'admin', name: '다른 관리자' })
  hr = await maru.createUser({ role: 'hr', name: '인사' })
  user = await maru.createUser({ name: '일반' })
})

/** As no role could: signed reviews stay. */
async function emptied(): Promise<void> {
  const client = await maru.owner.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query('delete from rights_review_items')
    await client.query('delete from rights_reviews')
    await client.query(`update settings set reviews_from = '2099-01-01'`)
    await client.query('commit')
  } finally {
    client.release()
  }
}

const open = async (by = admin, of = quarter) => (await maru.call(getReview, { quarter: of }, by)).data
const take = (by = admin, of = quarter) => maru.call(takeRights, { quarter: of }, by)
const confirm = (itemIds: string[], by = admin, remark = '') =>
  maru.call(confirmRights, { quarter, itemIds, remark }, by)
const withdraw = (itemIds: string[], by = admin, remark = '담당 업무가 바뀜') =>
  maru.call(withdrawRights, { quarter, itemIds, remark }, by)
const itemOf = async ({ userId }: TestUser, by = admin) =>
  (await open(by)).people.find((person) => person.userId === userId)?.itemId ?? ''
const roleOf = async ({ id }: TestUser) =>
  ((await owner('select role_code from users where id = $1', [id])) as { role_code: string }[])[0]?.role_code
const sign = async (by = admin) =>
  maru.call(signReview, { quarter, itemCount: (await open(by)).itemCount, opinion: '적정함' }, by)

const remove = (itemId: string) => maru.call(withdrawRole, { quarter, itemId, remark: '쓰지 않음' }, admin)
/** Returns the quarters that a user is reminded of. */
const told = async (by: TestUser) =>
  (await maru.call(listNotifications, {}, by)).data.notifications
    .filter(({ kind }) => kind === 'REVIEW')
    .map((one) => one.quarter)
const count = async (by: TestUser) => (await maru.call(getToDo, {}, by)).data.reviewCount

/** Confirms every item; the second administrator confirms those of the first. */
async function confirmAll(): Promise<void> {
  for (const by of [admin, other]) {
    const { roles, people } = await open(by)
    const ids = [...roles, ...people].filter(({ decidable }) => decidable).map(({ itemId }) => itemId)
    expect((await confirm(ids, by)).status).toBe(200)
  }
}

/** A role that holds these functions, and nobody has. */
async function newRole(name: string, functions: readonly (typeof FUNCTIONS)[number][]): Promise<string> {
  const { data } = await maru.call(createRole, { roleName: name, roleNameEn: `${name} role` }, admin)
  for (const functionName of functions)
    await maru.call(grantFunction, { roleCode: data.roleCode, functionName }, admin)
  return data.roleCode
}

async function give(person: TestUser, roleCode: string): Promise<void> {
  await owner('update users set role_code = $2 where id = $1', [person.id, roleCode])
}

describe('quarters (rules/audit#reviews)', () => {
  test('are listed newest first for users who may change roles, and no others', async () => {
    await owner(`update settings set reviews_from =
      (date_trunc('quarter', now() at time zone 'Asia/Seoul') - interval '6 months')::date`)
    const { data } = await maru.call(listReviews, {}, admin)
    expect(data.rows.map(({ reviewState }) => reviewState)).toEqual(['DUE', 'MISSED', 'MISSED'])
    expect(data.rows[0]).toEqual({
      rowNumber: 3,
      quarter,
      reviewState: 'DUE',
      itemCount: 0,
      decidedCount: 0,
      signedAt: '',
      signerName: '',
    })
    // Nobody reviews the past: what could be done then is not known any more.
    expect((await take(admin, data.rows[1]?.quarter)).code).toBe('REVIEW_NOT_FOUND')
    expect((await take(admin, '2099-Q1')).code).toBe('REVIEW_NOT_FOUND')
    expect((await take(admin, '2026-Q5')).code).toBe('INPUT_INVALID')
    for (const by of [hr, user]) {
      expect((await maru.call(listReviews, {}, by)).status).toBe(403)
      expect((await maru.call(getReview, { quarter }, by)).status).toBe(403)
      expect((await take(by)).status).toBe(403)
      expect((await confirm(['1'], by)).status).toBe(403)
      expect((await withdraw(['1'], by)).status).toBe(403)
      expect((await maru.call(withdrawRole, { quarter, itemId: '1', remark: '이유' }, by)).status).toBe(403)
      expect((await maru.call(signReview, { quarter, itemCount: 0, opinion: '의견' }, by)).status).toBe(403)
    }
    expect(await open()).toMatchObject({ reviewState: 'DUE', roles: [], people: [], takenAt: '' })
  })
})

describe('a review (rules/audit#review)', () => {
  test('takes every role, and everybody whose role is not the one that all have', async () => {
    await give(user, await newRole('파트너 담당', ['autho_partner_search']))
    const gone = await maru.createUser({ role: 'hr' })
    await owner('update users set withdrawn_at = now() where id = $1', [gone.id])
    await owner(`update users set last_login_at = '2026-01-02 03:00+00' where id = $1`, [hr.id])
    expect((await take()).data.itemCount).toBe((await open()).itemCount)
    const { roles, people, reviewState } = await open()
    expect(reviewState).toBe('BEGUN')
    const held =
      (await owner(`select code, array(select function_name from role_functions where role_code = code) as functions,
      (select count(*)::int from users where role_code = code and withdrawn_at is null) as users from roles`)) as {
        functions: string[]
        users: number
      }[]
    expect(roles).toHaveLength(held.length)
    expect(roles.find(({ roleName }) => roleName === '관리자')).toMatchObject({
      functions: [...FUNCTIONS].toSorted(),
      userCount: 2,
      builtIn: true,
      decision: '',
      decidable: true,
    })
    expect(people.map(({ userId }) => userId).toSorted()).toEqual(
      [admin, other, hr, user].map(({ userId }) => userId).toSorted(),
    )
    expect(people.find(({ userId }) => userId === hr.userId)).toMatchObject({
      name: '인사',
      roleName: '인사 관리자',
      mayLogIn: true,
      lastLoginAt: '2026-01-02 12:00:00',
    })
  })

  test('takes, retakes and decides a review of thousands of users efficiently', async () => {
    const rest = (
      (await owner(
        `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute where attrelid = 'users'::regclass
          and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('id', 'login_id', 'email')`,
      )) as { columns: string }[]
    )[0]?.columns
    await owner(
      `insert into users (login_id, email, ${rest}) select 'of.many.' || n, 'of.many.' || n || '@example.com', ${rest}
        from users, generate_series(1, 5000) n where id = $1`,
      [hr.id],
    )
    for (const _ of [1, 2]) expect((await take()).status).toBe(200)
    const { people } = await open()
    expect(people).toHaveLength(5003)
    const ids = people.filter(({ decidable }) => decidable).map(({ itemId }) => itemId)
    expect((await confirm(ids)).status).toBe(200)
    expect((await take()).status).toBe(200)
    expect((await open()).people.filter(({ decision }) => decision === 'CONFIRMED')).toHaveLength(5002)
    await owner(`update users set withdrawn_at = now(), role_code = 'AUT003' where login_id like 'of.many.%'`)
    expect((await take()).data.itemCount).toBe((await open()).roles.length + 3)
  })

  test('keeps unchanged confirmations and all withdrawals when taken again', async () => {
    const role = await newRole('감사 담당', ['autho_key_search'])
    await give(user, role)
    const second = await maru.createUser({ name: '둘째' })
    await give(second, role)
    await take()
    await confirmAll()
    // Withdrawn, and given again: it is open once more. Somebody new comes with it; the others stay confirmed.
    await take()
    expect(await open()).toMatchObject({ decidedCount: (await open()).itemCount })
    expect((await withdraw([await itemOf(second)])).status).toBe(200)
    await take()
    const decisionOf = async (person: TestUser) =>
      (await open()).people.find(({ userId }) => userId === person.userId)?.decision
    expect([await decisionOf(second), await decisionOf(user)]).toEqual(['WITHDRAWN', 'CONFIRMED'])
    await give(second, role)
    await take()
    expect([await decisionOf(second), await decisionOf(user)]).toEqual(['', 'CONFIRMED'])
    await maru.call(grantFunction, { roleCode: role, functionName: 'autho_partner_search' }, admin)
    await take()
    expect(await decisionOf(user)).toBe('')
    expect((await open()).roles.find(({ roleName }) => roleName === '감사 담당')?.decision).toBe('')
    expect(await decisionOf(hr)).toBe('CONFIRMED')
    // A user who lost the role in another way is no longer in the review.
    await give(user, 'AUT003')
    await take()
    expect(await decisionOf(user)).toBeUndefined()
  })
})

describe('decisions (rules/audit#review-decisions)', () => {
  test('revokes a role like an edit: logged, in the history, never of the last admin', async () => {
    await take()
    const itemId = await itemOf(hr)
    expect((await withdraw([itemId], admin, '')).code).toBe('INPUT_INVALID')
    expect(await roleOf(hr)).toBe('AUT002')
    expect((await withdraw([itemId])).data).toEqual({ userCount: 1 })
    expect(await roleOf(hr)).toBe('AUT003')
    const { data } = await maru.call(listHistory, { recordKind: 'user', recordId: hr.userId }, admin)
    expect(data.rows[0]?.changes).toEqual(
      expect.arrayContaining([
        { item: '권한', before: '인사 관리자', after: '일반 사용자' },
        { item: '검토 분기', before: '', after: quarter },
      ]),
    )
    const { people } = await open()
    expect(people.find(({ userId }) => userId === hr.userId)).toMatchObject({
      decision: 'WITHDRAWN',
      remark: '담당 업무가 바뀜',
      remarkerName: '검토자',
      ownRemark: false,
    })
    for (const again of [withdraw([itemId]), confirm([itemId])])
      expect((await again).code).toBe('REVIEW_ITEM_DECIDED')
    // The other administrator's role is revoked; the caller's own is now the last one.
    expect((await withdraw([await itemOf(other)])).status).toBe(200)
    expect((await withdraw([await itemOf(admin)])).status).not.toBe(200)
    expect(await roleOf(admin)).toBe('AUT001')
  })

  test('decides many items completely or not at all', async () => {
    await take()
    const both = [await itemOf(hr), await itemOf(admin)]
    expect((await withdraw(both)).code).toBe('REVIEW_OWN')
    expect((await withdraw([await itemOf(hr), '999999'])).code).toBe('REVIEW_ITEM_NOT_FOUND')
    expect((await confirm([await itemOf(hr), '999999'])).code).toBe('REVIEW_ITEM_NOT_FOUND')
    await give(other, 'AUT003')
    expect((await withdraw([await itemOf(hr), await itemOf(other)])).code).toBe('RECORD_CHANGED')
    expect([await roleOf(hr), await roleOf(admin)]).toEqual(['AUT002', 'AUT001'])
    expect((await open()).decidedCount).toBe(0)
  })

  test('leaves decisions about oneself to another reviewer, if there is one', async () => {
    await take()
    const own = await itemOf(admin)
    expect((await open()).people.find(({ itemId }) => itemId === own)?.decidable).toBe(false)
    expect((await confirm([own])).code).toBe('REVIEW_OWN')
    expect((await withdraw([own])).code).toBe('REVIEW_OWN')
    expect((await confirm([own], other)).status).toBe(200)
    // A withdrawn user cannot decide, so the administrator may confirm their own item.
    await owner('update users set withdrawn_at = now() where id = $1', [other.id])
    await take()
    expect((await open()).people.find(({ itemId }) => itemId === own)).toMatchObject({ decidable: true })
    expect((await confirm([own])).status).toBe(200)
    expect((await open()).people.find(({ itemId }) => itemId === own)?.ownRemark).toBe(true)
    // Nobody takes their own role, not even so.
    expect((await withdraw([own])).code).toBe('FORBIDDEN')
    expect(await roleOf(admin)).toBe('AUT001')
  })

  test.each(['suspend', 'demote'])(
    'refuse an own item after the caller used %s on the others',
    async (way) => {
      await take()
      const own = await itemOf(admin)
      const changed =
        way === 'suspend'
          ? await maru.call(suspendUser, { userId: other.userId, suspendedFor: 'LEAVE', reason: '' }, admin)
          : await withdraw([await itemOf(other)])
      expect(changed.status).toBe(200)
      expect((await confirm([own])).code).toBe('REVIEW_OWN')
      await owner(`update audit_log set at = at - interval '31 days' where actor_id = $1`, [admin.id])
      expect((await confirm([own])).status).toBe(200)
    },
  )

  test('are about nothing that one lacks, and what is above is not seen', async () => {
    const reviewers = await newRole('권한 담당', ['autho_role_manage', 'autho_user_manage'])
    const partners = await newRole('파트너 관리', ['autho_partner_search'])
    const reviewer = await maru.createUser({ name: '권한 담당자' })
    await give(reviewer, reviewers)
    await give(user, partners)
    await take()
    const seen = await open(reviewer)
    const names = seen.people.map(({ userId }) => userId)
    expect(names).toEqual(expect.arrayContaining([reviewer.userId, user.userId]))
    expect(names).not.toContain(admin.userId)
    expect(names).not.toContain(hr.userId)
    expect(seen.itemCount).toBe((await open()).itemCount)
    expect(seen.people.find(({ userId }) => userId === user.userId)?.decidable).toBe(false)
    expect((await confirm([await itemOf(user)], reviewer)).code).toBe('FORBIDDEN')
    expect((await withdraw([await itemOf(user)], reviewer)).code).toBe('FORBIDDEN')
    expect((await confirm([await itemOf(admin)], reviewer)).code).toBe('REVIEW_ITEM_NOT_FOUND')
    // An administrator could do so for the reviewer.
    expect((await confirm([await itemOf(reviewer)], reviewer)).code).toBe('REVIEW_OWN')
    // Only a user who can see every item may sign.
    await confirmAll()
    expect((await sign(reviewer)).code).toBe('REVIEW_ABOVE')
    expect(await roleOf(user)).toBe(partners)
  })

  test('remove a role that no user has, and no other', async () => {
    const unused = await newRole('안 쓰는 권한', ['autho_notice_manage'])
    await take()
    const { roles } = await open()
    const idOf = (name: string) => roles.find(({ roleName }) => roleName === name)?.itemId ?? ''
    expect((await remove(idOf('인사 관리자'))).code).toBe('ROLE_BUILT_IN')
    expect((await remove(await itemOf(hr))).code).toBe('REVIEW_ITEM_NOT_FOUND')
    await give(user, unused)
    expect((await remove(idOf('안 쓰는 권한'))).code).toBe('ROLE_IN_USE')
    await give(user, 'AUT003')
    expect((await remove(idOf('안 쓰는 권한'))).status).toBe(200)
    expect(await owner('select from roles where code = $1', [unused])).toHaveLength(0)
    expect((await open()).roles.find(({ roleName }) => roleName === '안 쓰는 권한')).toMatchObject({
      decision: 'WITHDRAWN',
      remark: '쓰지 않음',
    })
    expect((await withdraw([idOf('관리자')])).code).toBe('REVIEW_ITEM_NOT_FOUND')
  })
})

describe('signing (rules/audit#review-sign-off)', () => {
  test('needs every decision, and ends them all: for calls, and for the role that serves', async () => {
    expect((await sign()).code).toBe('REVIEW_NOT_FOUND')
    await take()
    expect((await sign()).code).toBe('REVIEW_OPEN')
    await confirmAll()
    const { itemCount } = await open()
    const short = await maru.call(signReview, { quarter, itemCount: itemCount - 1, opinion: '의견' }, admin)
    expect(short.code).toBe('RECORD_CHANGED')
    expect((await sign()).status).toBe(200)
    const signed = await open()
    expect(signed).toMatchObject({ reviewState: 'SIGNED', signerName: '검토자', opinion: '적정함' })
    for (const after of [take(), confirm([await itemOf(hr)]), withdraw([await itemOf(hr)]), sign()])
      expect((await after).code).toBe('REVIEW_SIGNED')
    for (const change of [
      `update rights_review_items set remark = 'x'`,
      'delete from rights_review_items',
      `update rights_reviews set opinion = 'x'`,
      'delete from rights_reviews',
      `insert into rights_review_items (quarter, role_code, role_name, role_name_en, functions, person_id)
         select quarter, 'X', 'X', 'X', '{}', 0 from rights_reviews`,
    ])
      await expect(maru.database.pool.query(change)).rejects.toThrow(/is signed/)
    // It says the same when people are called otherwise.
    await owner(`update users set name = '개명' where id = $1`, [hr.id])
    expect((await open()).people).toEqual(signed.people)
  })
})

test('refuses to sign over permissions granted after the review was taken (rules/audit#review-sign-off)', async () => {
  await take()
  await confirmAll()
  const late = await maru.createUser({ role: 'admin', name: '새 관리자' })
  expect((await sign()).code).toBe('RECORD_CHANGED')
  await owner('update users set withdrawn_at = now() where id = $1', [late.id])
  await owner(
    `insert into role_functions (role_code, function_name) values ('AUT003', 'autho_notice_manage')`,
  )
  expect((await sign()).code).toBe('RECORD_CHANGED')
  await owner(
    `delete from role_functions where role_code = 'AUT003' and function_name = 'autho_notice_manage'`,
  )
  expect((await sign()).status).toBe(200)
})

describe('reminders (rules/audit#review-reminder)', () => {
  test('begin with the quarter after the first and end with the signature', async () => {
    expect([await told(admin), await count(admin), await count(hr)]).toEqual([[], 0, undefined])
    await owner(
      `update settings set reviews_from = date_trunc('quarter', now() at time zone 'Asia/Seoul')::date`,
    )
    // After 90 days nothing is in the bell any more; the quarter has up to 92.
    const isShown =
      (await owner(`select date_trunc('quarter', now() at time zone 'Asia/Seoul') at time zone 'Asia/Seoul'
      > now() - interval '90 days' as shown`)) as { shown: boolean }[]
    expect(await told(admin)).toEqual(isShown[0]?.shown === true ? [quarter] : [])
    expect([await told(hr), await told(user), await count(admin)]).toEqual([[], [], 1])
    await take()
    expect(await count(admin)).toBe(1)
    await confirmAll()
    expect((await sign()).status).toBe(200)
    expect([await told(admin), await count(admin)]).toEqual([[], 0])
  })

  test('go on for what was begun and not signed when its quarter is over', async () => {
    await owner(`insert into rights_reviews (quarter, taker_name)
      values ((date_trunc('quarter', now() at time zone 'Asia/Seoul') - interval '3 months')::date, '검토자')`)
    expect(await count(admin)).toBe(1)
    const { data } = await maru.call(listReviews, {}, admin)
    expect(data.rows.map(({ reviewState }) => reviewState)).toEqual(['OPEN', 'BEGUN'])
    expect((await take(admin, data.rows[1]?.quarter)).status).toBe(200)
  })
})
