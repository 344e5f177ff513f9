/**
 * Claim: with 100,000 notices any page of any search takes at most 50 ms on an idle core, the last page included
 * (ADR 050). Through the whole stack: session, envelope, database; 100,000 users, 300 of them authors.
 *
 * Run: npm run bench -- notice-search (NOTICES=10000 measures with fewer)
 */
import { listNotices, NOTICES_PER_PAGE, SEARCH_TYPE } from '../contract/notices.ts'
import { migrate } from '../server/db/migrate.ts'
import { NO_TIME_LIMIT, openDatabase } from '../server/db/open.ts'
import { startOwnDatabase } from './own-database.ts'
import { ask, medians, openTarget } from './two-sizes.ts'

const NOTICES = Number(process.env['NOTICES'] ?? 100_000)
const TRIES = 15
const CLAIMED_MS = 50

/** Type and text; how many notices fit is printed. */
const SEARCHES: [keyof typeof SEARCH_TYPE, string][] = [
  ['all', ''],
  ['title', '점'],
  ['title', '차'],
  ['title', '서버 점검 안내'],
  ['title', '9999'],
  ['title', '없는말'],
  ['author', '김'],
  ['author', '김민준'],
  ['all', '김'],
  ['all', '점검'],
  ['all', 'x'],
]

const own = await startOwnDatabase()
try {
  const writer = await openDatabase({ ...own.connection, ...NO_TIME_LIMIT }, () => {})
  await migrate(writer.db)
  await writer.pool.query(
    `insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code)
     select 'user' || i, 'x', (array['김','이','박','최','정','강','조','윤','장','임'])[1 + i % 10]
         || (array['민준','서연','도윤','하은','지호','수아','예준','지유','한결','보람'])[1 + (i / 10) % 10],
       '대리', '01012345678', 'user' || i || '@example.com', 'BEL001', 'AUT003', 'MEMAP001'
     from generate_series(1, 100000) as i`,
  )
  // Twenty years, titles as a company has them; a few words in one of ten thousand.
  await writer.pool.query(
    `insert into notices (bullet_code, title, memo, author_id, published_at)
     select 'BE0001',
       case when i % 10007 = 0 then '특이 사항 ' else '' end
       || (array['서버 점검 안내', '급여 지급일 안내', '보안 교육 이수 안내', '소방 훈련 실시', '사무실 이전 안내', '인사 발령',
         '가족의 날 행사', '파일 서버 점검 결과', '주차장 이용 안내', '연차 사용 계획 제출'])[1 + (i * 7 % 10)]
       || ' (' || i || '차)', repeat('본문 ', 100), 1 + (i * 13 % 300),
       now() - (i::float8 / $1) * interval '20 years' - interval '1 minute'
     from generate_series(1, $1::int) as i`,
    [NOTICES],
  )
  await writer.pool.query('vacuum analyze')
  await writer.close()
  const target = await openTarget(await openDatabase(own.connection, () => {}), '1', own.dataDir)
  let slowest = 0
  for (const [type, text] of SEARCHES) {
    const filter = { searchType: SEARCH_TYPE[type], title: text, author: text }
    const { totalCount } = (await ask(target, listNotices, filter)) as { totalCount: number }
    const last = Math.max(1, Math.ceil(totalCount / NOTICES_PER_PAGE))
    const times = await medians(
      [1, Math.ceil(last / 2), last].map((page) => () => ask(target, listNotices, { ...filter, page })),
      TRIES,
    )
    slowest = Math.max(slowest, ...times)
    const shown = times.map((ms) => ms.toFixed(1)).join(', ')
    process.stdout.write(
      `${SEARCH_TYPE[type]} "${text}", ${totalCount.toLocaleString('en')} of ${NOTICES.toLocaleString('en')}: ${shown} ms\n`,
    )
  }
  process.stdout.write(`slowest: ${slowest.toFixed(1)} ms (claimed: at most ${CLAIMED_MS})\n`)
  if (slowest > CLAIMED_MS) process.exitCode = 1
  await target.close()
} finally {
  await own.stop()
}
