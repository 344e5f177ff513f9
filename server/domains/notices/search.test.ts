import { beforeAll, describe, expect, test } from 'vitest'
import { listNotices } from '../../../contract/notices.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

/* Compares the search results with those of a plain scan of every notice. */
const maru = useMaru()
let reader: TestUser

interface Row {
  id: string
  title: string
  name: string
  is_pinned: boolean
}

/** The board as the reader should see it, newest first. */
async function board(): Promise<Row[]> {
  const { rows } = await maru.database.pool.query<Row>(
    `select n.id, n.title, u.name, coalesce(n.pinned_until >= (now() at time zone 'Asia/Seoul')::date, false) as is_pinned
     from notices n join users u on u.id = n.author_id where n.published_at <= now()
     order by n.published_at desc, n.id desc`,
  )
  return rows
}

const TEXTS = ['', '점', '점검 안내', '김', 'vpn', '%', '149', '안내 77']
const TYPES = ['통합검색', '제목', '작성자'] as const

async function expectRight(): Promise<void> {
  const all = await board()
  await Promise.all(TEXTS.flatMap((text) => TYPES.map((type) => expectSearchRight(all, type, text))))
}

async function expectSearchRight(all: Row[], type: (typeof TYPES)[number], text: string): Promise<void> {
  const fits = all.filter(({ title, name }) => {
    const [inTitle, inName] = [title, name].map((words) => words.toLowerCase().includes(text))
    return (type !== '작성자' && inTitle) || (type !== '제목' && inName)
  })
  const sorted = [...fits.filter((row) => row.is_pinned), ...fits.filter((row) => !row.is_pinned)]
  const last = Math.max(1, Math.ceil(sorted.length / 9))
  for (const page of new Set([1, Math.ceil(last / 2), last, last + 1])) {
    const input = { searchType: type, title: text, author: text, pinnedFirst: true, page }
    const { data } = await maru.call(listNotices, input, reader)
    const found = data.notices.map((row) => row.noticeId)
    const wanted = sorted.slice((page - 1) * 9, page * 9).map((row) => row.id)
    expect([data.totalCount, found], JSON.stringify(input)).toEqual([sorted.length, wanted])
  }
}

const query = (text: string) => maru.database.pool.query(text)
beforeAll(async () => {
  reader = await maru.createUser({ name: '박독자' })
  const authors = []
  for (const name of ['김점검', '이VPN', '가나다', '박100%']) authors.push(await maru.createUser({ name }))
  const ids = authors.map(({ id }) => id).join(', ')
  await query(`insert into notices (bullet_code, title, memo, author_id, created_at)
    select 'BE0001', case when i % 7 = 0 then '가을 VPN 공지 ' when i % 11 = 0 then '100% 완료_' else '서버 점검 안내 ' end || i, '',
      (array[${ids}])[1 + i % 4], timestamptz '2026-01-01' + (i * 7919 % 1500) * interval '1 hour'
    from generate_series(1, 1500) as i`)
  await query(`update notices set pinned_until = '2099-01-01' where id % 400 = 0`)
})

describe('every page of every search is right', () => {
  test('finds the same as a scan on an unchanged board', expectRight)

  test('finds the same as a scan after notices and an author change', async () => {
    await query(`insert into notices (bullet_code, title, memo, author_id)
      select 'BE0001', '새 점검 안내 ' || i, '', ${reader.id} from generate_series(1, 30) as i`)
    await query(`update notices set title = title || ' 가' where id % 13 = 0`)
    await query(`update notices set published_at = '2020-01-01' where id % 97 = 0`)
    await query(`delete from notices where id % 17 = 0 or id between 100 and 260`)
    await query(`update users set name = '최점검' where name = '가나다'`)
    await expectRight()
  })

  test('finds the same as a scan with scheduled notices, before and after their time', async () => {
    await query(`insert into notices (bullet_code, title, memo, author_id, published_at)
      select 'BE0001', '점검 예약 ' || i, '', ${reader.id} + 1, now() + interval '1 day' from generate_series(1, 5) as i`)
    await expectRight()
    await query(`update notices set published_at = now() - interval '1 minute' where title like '점검 예약%'`)
    await expectRight()
  })

  test('finds the same as a scan after pins are removed', async () => {
    await query(`update notices set memo = 'x', must_read = true, pinned_until = null, version = version + 1`)
    await expectRight()
  })
})
