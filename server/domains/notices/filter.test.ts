import { beforeAll, describe, expect, it } from 'vitest'
import type { InputOf } from '../../../contract/endpoint.ts'
import { confirmNotice, getNotice, listNotices } from '../../../contract/notices.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { roundTrips } from '../../../dev/test-kit/round-trips.ts'

const maru = useMaru()
let reader: TestUser
let author: TestUser
let admin: TestUser
const ids = new Map<string, string>()

const query = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)
const list = async (input: InputOf<typeof listNotices>, by = reader) => {
  const { totalCount, notices } = (await maru.call(listNotices, input, by)).data
  return { totalCount, titles: notices.map(({ title }) => title) }
}

beforeAll(async () => {
  author = await maru.createUser({ name: '김작성' })
  reader = await maru.createUser({ name: '박독자' })
  admin = await maru.createUser({ role: 'admin' })
  const notices = [
    { title: 'read', more: {} },
    { title: 'unread', more: {} },
    { title: 'must-read', more: { must_read: true } },
    { title: 'must-read, opened', more: { must_read: true } },
    { title: 'must-read, confirmed', more: { must_read: true } },
    { title: 'must-read, own', more: { must_read: true, author_id: reader.id } },
    { title: 'must-read, for others', more: { must_read: true, audience_roles: '{AUT001}' } },
    { title: 'must-read, scheduled', more: { must_read: true, published_at: '2099-01-01' } },
  ]
  for (const [at, { title, more }] of notices.entries()) {
    const row = { bullet_code: 'BE0001', title, memo: '', author_id: author.id, ...more }
    const fields = { published_at: new Date(Date.UTC(2026, 0, 1, at)).toISOString(), ...row }
    const names = Object.keys(fields)
    const { rows } = await query(
      `insert into notices (${names.join()}) values (${names.map((_, n) => `$${n + 1}`).join()}) returning id`,
      Object.values(fields),
    )
    ids.set(title, rows[0].id)
  }
  for (const title of ['read', 'must-read, opened', 'must-read, confirmed'])
    await maru.call(getNotice, { noticeId: ids.get(title) ?? '' }, reader)
  await maru.call(confirmNotice, { noticeId: ids.get('must-read, confirmed') ?? '' }, reader)
  for (const [title, picture] of [
    ['unread', null],
    ['read', 'abcdefghij'],
  ])
    await query(
      `insert into notice_files (id, notice_id, save_path, save_file_name, original_name, size_bytes, picture, width, height)
       values (gen_random_uuid(), $1, 'a', gen_random_uuid(), 'plan.txt', 1, $2::text,
         case when $2::text is null then null else 1 end, case when $2::text is null then null else 1 end)`,
      [ids.get(title ?? ''), picture],
    )
})

describe('the filter of the notice list (rules/notices#notice-filter)', () => {
  it('lists the published notices of others that the caller has not opened', async () => {
    expect(await list({ show: 'UNREAD' })).toEqual({ totalCount: 2, titles: ['must-read', 'unread'] })
  })

  it('lists exactly the rows that the list marks as unread, to confirm or with a file', async () => {
    for (const by of [reader, author, admin]) {
      const all = (await maru.call(listNotices, { perPage: 100 }, by)).data.notices
      const marked = (isMarked: (row: (typeof all)[number]) => boolean) =>
        all.filter(isMarked).map(({ title }) => title)
      expect((await list({ show: 'UNREAD' }, by)).titles).toEqual(
        marked(({ viewed, scheduled }) => !viewed && !scheduled),
      )
      expect((await list({ show: 'TO_CONFIRM' }, by)).titles).toEqual(marked(({ toConfirm }) => toConfirm))
      expect((await list({ show: 'FILE' }, by)).titles).toEqual(marked(({ files }) => files.length > 0))
    }
  })

  it('lists the must-read notices that the caller still has to confirm', async () => {
    const titles = ['must-read, opened', 'must-read']
    expect(await list({ show: 'TO_CONFIRM' })).toEqual({ totalCount: 2, titles })
  })

  it('lists the notices with a file, not those with only an image', async () => {
    expect(await list({ show: 'FILE' })).toEqual({ totalCount: 1, titles: ['unread'] })
  })

  it('narrows a search, and counts and pages what is left', async () => {
    expect(await list({ show: 'TO_CONFIRM', page: 2, perPage: 1, pinnedFirst: true })).toEqual({
      totalCount: 2,
      titles: ['must-read'],
    })
    const search = { searchType: '제목', title: 'opened' } as const
    expect((await list({ ...search, show: 'TO_CONFIRM' })).titles).toEqual(['must-read, opened'])
    expect(await list({ ...search, show: 'UNREAD' })).toEqual({ totalCount: 0, titles: [] })
  })

  it('keeps pinned notices first, of those that it finds', async () => {
    await query(`update notices set pinned_until = '2999-12-31' where title in ('unread', 'read')`)
    try {
      expect((await list({ show: 'UNREAD', pinnedFirst: true })).titles).toEqual(['unread', 'must-read'])
    } finally {
      await query('update notices set pinned_until = null')
    }
  })

  it.each(['UNREAD', 'TO_CONFIRM', 'FILE'] as const)('needs at most 3 round trips for %s', async (show) => {
    await list({ show })
    const statements = await roundTrips(maru.database.pool, () => list({ show }))
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(3)
  })

  it('is refused with an unknown value', async () => {
    const answer = await maru.callRaw(listNotices.path, { show: 'MINE' }, reader)
    expect(answer).toMatchObject({ status: 400, code: 'INPUT_INVALID', field: 'show' })
  })
})
