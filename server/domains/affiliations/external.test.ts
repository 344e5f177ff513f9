import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listAffiliations } from '../../../contract/affiliations.ts'
import { getAuthority } from '../../../contract/common.ts'
import {
  createComment,
  downloadFile,
  getNotice,
  linkFile,
  listComments,
  listNotices,
} from '../../../contract/notices.ts'
import { MAIL } from '../../../contract/notifications.ts'
import { getSettings } from '../../../contract/settings.ts'
import {
  getColleague,
  getUser,
  listColleagues,
  previewBulk,
  registerUser,
  updateUser,
} from '../../../contract/users.ts'
import { checkUpdates } from '../../../contract/users/import-update.ts'
import { changeParent } from '../../../dev/test-kit/affiliations.ts'
import { attach, filesOf, writeNotice } from '../../../dev/test-kit/files.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { findRecipients } from '../notifications/recipients.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

/** An affiliation that is another company, and one below it. */
const OUTSIDE = 'BEL006'
const BELOW = 'BEL007'

let admin: TestUser
let inside: TestUser
let outside: TestUser
let below: TestUser

const change = (affiliationCode: string, to: Parameters<typeof changeParent>[2], by = admin) =>
  changeParent(maru, affiliationCode, to, by, admin)
async function notice(author: TestUser, affiliations: string[] | null, roles: string[] | null = null) {
  const [row] = await sql(
    `insert into notices (bullet_code, title, memo, memo_text, author_id, published_at, audience_affiliations, audience_roles)
      values ('BULLET001', '공지', '글', '글', $1, now(), $2, $3) returning id::text`,
    [author.id, affiliations, roles],
  )
  return String(row.id)
}
const sees = async (by: TestUser, noticeId: string) => ({
  status: (await maru.call(getNotice, { noticeId }, by)).status,
  totalCount: (await maru.call(listNotices, {}, by)).data.totalCount,
})

const externals = async () =>
  (await maru.call(listAffiliations, {}, admin)).data.affiliations
    .filter(({ external }) => external)
    .map(({ affiliationCode }) => affiliationCode)

const namesFor = async (by: TestUser) =>
  (await maru.call(listColleagues, { perPage: 100 }, by)).data.colleagues.map(({ name }) => name)

/** Creates a user with a role that has every permission. */
async function createDeputy(): Promise<TestUser> {
  const deputy = await maru.createUser({ affiliation: 'BEL001' })
  await sql(`update users set role_code = 'AUT961' where id = $1`, [deputy.id])
  return deputy
}

beforeAll(async () => {
  await sql(
    `insert into roles (code, group_name, name_en, sort_order) values ('AUT961', '대행', 'Deputy', 9)`,
  )
  await sql(`insert into role_functions select 'AUT961', name from functions`)
  admin = await maru.createUser({ role: 'admin', affiliation: 'BEL001' })
  await maru.createPartner({ code: 'HEAD-1', affiliation: 'BEL001' })
})
beforeEach(async () => {
  await sql('delete from notices')
  await sql(`update codes set is_external = false, parent_code = null where group_code = 'COMBEL001'`)
  await change(BELOW, { parentCode: OUTSIDE })
  expect((await change(OUTSIDE, { external: true })).status).toBe(200)
  inside = await maru.createUser({ affiliation: 'BEL001', name: '김내부' })
  outside = await maru.createUser({ affiliation: OUTSIDE, name: '박외부' })
  below = await maru.createUser({ affiliation: BELOW, name: '최하위' })
})

describe('another company (rules/affiliations#external)', () => {
  it('is set in the affiliation, recorded, and kept by a caller that does not know it (rules/affiliations#external)', async () => {
    expect(await externals()).toEqual([OUTSIDE])
    await change(OUTSIDE, { parentCode: 'BEL008' })
    expect(await externals()).toEqual([OUTSIDE])
    await change(OUTSIDE, { external: false })
    expect(await externals()).toEqual([])
    const [row] = await sql(
      `select detail from audit_log where action = 'affiliation.parent' order by id desc limit 1`,
    )
    expect(row.detail).toEqual({ external: { before: true, after: false } })
  })

  it('is never the affiliation of the caller or of the last 관리자 (rules/affiliations#external)', async () => {
    expect(await change('BEL001', { external: true })).toMatchObject({ code: 'AFFILIATION_OWN_EXTERNAL' })
    expect(await change('BEL001', { parentCode: OUTSIDE })).toMatchObject({
      code: 'AFFILIATION_OWN_EXTERNAL',
    })
  })

  it('never gets the last 관리자, by an edit, a bulk change or a file (rules/roles#last-administrator)', async () => {
    const code = await maru.createPartner({ affiliation: OUTSIDE })
    await sql(`update users set withdrawn_at = now() where role_code = 'AUT001' and id <> $1`, [admin.id])
    const asked = { userIds: [admin.userId], affiliationCode: OUTSIDE, partnerCode: code }
    const deputy = await createDeputy()
    const { data } = await maru.call(previewBulk, { bulkAction: 'move', ...asked }, deputy)
    expect(data.obstacles.map(({ obstacle }) => obstacle)).toEqual(['LAST_ADMIN'])
    const rows = [{ userId: admin.userId, affiliationCode: OUTSIDE, partnerCode: code }]
    const checked = (await maru.call(checkUpdates, { rows }, deputy)).data
    expect(checked.errors).toMatchObject([{ field: 'affiliationCode' }])
    const { version, name, position, phoneNumber, email } = (
      await maru.call(getUser, { userId: admin.userId }, deputy)
    ).data
    const edited = await maru.call(
      updateUser,
      {
        originalUserId: admin.userId,
        userId: admin.userId,
        name,
        position,
        phoneNumber,
        email,
        validFrom: '2026-01-01',
        validTo: '2099-12-31',
        roleCode: 'AUT001',
        approvalCode: 'MEMAP001',
        affiliationCode: OUTSIDE,
        partnerCode: code,
        version,
      },
      deputy,
    )
    expect(edited.code).toBe('LAST_ADMIN')
    expect(await sql('select affiliation_code as code from users where id = $1', [admin.id])).toEqual([
      { code: 'BEL001' },
    ])
  })

  it('leaves a 관리자 inside who can administer, not only an invited one (rules/roles#last-administrator)', async () => {
    const deputy = await createDeputy()
    const invited = await maru.createUser({ role: 'admin', affiliation: 'BEL001' })
    await sql(
      `insert into account_links (token_hash, user_id, kind, expires_at) values ('x', $1, 'INVITATION', now())`,
      [invited.id],
    )
    await sql(`update users set affiliation_code = 'BEL008' where id = $1`, [admin.id])
    expect((await change('BEL008', { external: true }, deputy)).code).toBe('LAST_ADMIN')
    await sql('delete from account_links')
    expect((await change('BEL008', { external: true }, deputy)).status).toBe(200)
    await sql(`update users set affiliation_code = 'BEL001' where id = $1`, [admin.id])
  })

  it('shows its people the notices of the company and those that name their affiliation (rules/affiliations#external)', async () => {
    const ids = {
      all: await notice(inside, null),
      role: await notice(inside, null, ['AUT003']),
      named: await notice(inside, [OUTSIDE, 'BEL001']),
      own: await notice(below, null),
    }
    const statuses = async (by: TestUser) =>
      Object.fromEntries(
        await Promise.all(Object.entries(ids).map(async ([name, id]) => [name, (await sees(by, id)).status])),
      )
    expect(await statuses(outside)).toEqual({ all: 400, role: 400, named: 200, own: 200 })
    expect(await statuses(below)).toEqual({ all: 400, role: 400, named: 400, own: 200 })
    expect(await statuses(inside)).toEqual({ all: 200, role: 200, named: 200, own: 200 })
    expect((await sees(outside, ids.all)).totalCount).toBe(2)
    expect((await sees(inside, ids.all)).totalCount).toBe(4)
  })

  it('gives its people no file, comment or link of other notices (rules/affiliations#external)', async () => {
    const noticeId = await writeNotice(maru, inside)
    expect((await attach(maru, inside, noticeId, 'a.txt', '글')).status).toBe(200)
    const [file] = await filesOf(maru, inside, noticeId)
    const { storedName = '', storedPath = '' } = file ?? {}
    const codes = async (by: TestUser) => [
      (await maru.call(downloadFile, { storedName, storedPath }, by)).status,
      (await maru.call(linkFile, { storedName, storedPath }, by)).status,
      (await maru.call(listComments, { noticeId }, by)).status,
      (await maru.call(createComment, { noticeId, text: '의견' }, by)).status,
    ]
    expect(await codes(inside)).toEqual([200, 200, 200, 200])
    expect(await codes(outside)).toEqual([400, 400, 400, 400])
  })

  it('shows its people their colleagues alone, in the directory and by a link to a card (rules/affiliations#external)', async () => {
    expect(await namesFor(outside)).toEqual(expect.arrayContaining(['박외부', '최하위']))
    expect(await namesFor(outside)).not.toContain('김내부')
    expect(await namesFor(inside)).toEqual(expect.arrayContaining(['박외부', '김내부']))
    const card = async (of: { userId: string }) =>
      (await maru.call(getColleague, { userId: of.userId }, outside)).data
    expect(await card(inside)).toEqual(await card({ userId: 'no.such.user' }))
    expect(await card(below)).toMatchObject({ state: 'PRESENT', name: '최하위' })
    await sql('update users set withdrawn_at = now() where id = $1', [inside.id])
    expect(await card(inside)).toEqual(await card({ userId: 'no.such.user' }))
  })

  it('ends the reach of any role at the company, of mails too (rules/affiliations#external)', async () => {
    const boss = await maru.createUser({ role: 'admin', affiliation: OUTSIDE })
    expect((await maru.call(getSettings, {}, boss)).status).toBe(403)
    const { within, functions } = (await maru.call(getAuthority, {}, boss)).data as {
      within?: string[]
      functions: string[]
    }
    expect(within?.toSorted()).toEqual([OUTSIDE, BELOW])
    expect(functions).not.toContain('autho_setting_manage')
    expect(await maru.call(getUser, { userId: inside.userId }, boss)).toMatchObject({ status: 403 })
    expect((await maru.call(getUser, { userId: below.userId }, boss)).status).toBe(200)
    const input = {
      userId: 'placed.user',
      affiliationCode: 'BEL001',
      position: '사원',
      name: '이신규',
      phoneNumber: '01011112222',
      email: 'placed@example.com',
      validFrom: '2026-01-01',
      validTo: '2099-12-31',
      partnerCode: 'HEAD-1',
      roleCode: 'AUT003',
      approvalCode: 'MEMAP001' as const,
      password: '푸른-바다-7고래',
      managerPassword: PASSWORD,
    }
    expect(await maru.call(registerUser, input, boss)).toMatchObject({ status: 403 })
    const recipients = await findRecipients(maru.database.db, MAIL.daily, [boss.id, admin.id], [])
    for (const { userId, functions: held } of recipients)
      expect(held.includes('autho_setting_manage')).toBe(userId === admin.userId)
  })

  it('lets nobody move out of it alone (rules/affiliations#external)', async () => {
    await sql('update sessions set password_checked_at = now() where user_id = $1', [outside.id])
    const own = (await maru.call(getUser, { userId: '' }, outside)).data
    expect(own.affiliationByRequest).toBe(true)
    const { position, name, phoneNumber, email } = own
    const { userId } = outside
    const input = {
      originalUserId: userId,
      userId,
      affiliationCode: 'BEL001',
      position,
      name,
      phoneNumber,
      email,
    }
    const answer = await maru.call(updateUser, input, outside)
    expect(answer.data.requestId).toEqual(expect.any(String))
    expect(await sql('select affiliation_code from users where id = $1', [outside.id])).toEqual([
      { affiliation_code: OUTSIDE },
    ])
    // After a move, the next call has the new reach.
    const noticeId = await notice(inside, null)
    expect((await sees(outside, noticeId)).status).toBe(400)
    await sql(`update users set affiliation_code = 'BEL001' where id = $1`, [outside.id])
    expect((await sees(outside, noticeId)).status).toBe(200)
  })
})
