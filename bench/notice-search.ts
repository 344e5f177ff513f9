/**
 * Claim: any page of any notice search costs at most 3 times as much with 1,000,000 notices as with 10,000, the last
 * page included (ADR 019). Every search through the whole stack (envelope, session, envelope), 30 times each,
 * first, middle and last page, on both boards in turn, so that what else the machine does slows both alike.
 *
 * Run: npm run bench -- notice-search (some ten minutes: it writes 1,000,000 notices and counts them)
 */
import type { FastifyInstance } from 'fastify'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { API_BASE, SESSION_HEADER } from '../contract/envelope.ts'
import { listNotices, NOTICES_PER_PAGE, SEARCH_TYPE } from '../contract/notices.ts'
import { createApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { createServices } from '../server/create-services.ts'
import { startEmbedded } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import { refreshNoticeIndex } from '../server/db/notice-index.ts'
import { openDatabase, type OpenDatabase } from '../server/db/open.ts'
import { startSession } from '../server/http/sessions.ts'
import { sealed, unsealed } from '../server/test-kit/seal.ts'

const SMALL = 10_000
const LARGE = Number(process.env['NOTICES'] ?? 1_000_000)
const ROUNDS = 30
const CLAIMED = 3

/** Type and text; what share of the notices fits is printed. */
const SEARCHES: [keyof typeof SEARCH_TYPE, string][] = [
  ['all', ''],
  ['title', '점'],
  ['title', '점검'],
  ['title', '가'],
  ['title', '훈련'],
  ['title', '서버 점검 안내'],
  ['title', '7'],
  ['title', '특이'],
  ['title', '9999'],
  ['title', '없는말'],
  ['author', '김'],
  ['author', '김민'],
  ['author', '한'],
  ['all', '김'],
  ['all', '점'],
  ['all', '점검'],
  ['all', '민준'],
]

const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1)
const log = (line: string) => process.stdout.write(`${line}\n`)
const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const embedded = await startEmbedded({ dataDir, log: () => {} })
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' })
const closers: (() => Promise<unknown>)[] = []

interface Board {
  app: FastifyInstance
  pool: pg.Pool
  session: string
}

try {
  const small = await makeBoard('small', SMALL)
  const large = await makeBoard('large', LARGE)
  log(
    `${ROUNDS} calls each; milliseconds, median at ${SMALL.toLocaleString()} → at ${LARGE.toLocaleString()} notices`,
  )
  let worst = 0
  for (const [type, text] of SEARCHES) worst = Math.max(worst, await measure(small, large, type, text))
  log(
    `worst ratio ${worst.toFixed(2)} (claimed: at most ${CLAIMED}): ${worst <= CLAIMED ? 'holds' : 'DOES NOT HOLD'}`,
  )
} finally {
  for (const close of closers.toReversed()) await close()
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function makeBoard(name: string, count: number): Promise<Board> {
  const admin = new pg.Client({ ...embedded.connection })
  await admin.connect()
  await admin.query(
    `create database ${name} encoding 'UTF8' template template0 lc_collate 'C' lc_ctype 'C.UTF-8'`,
  )
  await admin.end()
  const database = await openDatabase(
    { ...embedded.connection, database: name, statement_timeout: 0, query_timeout: 0 },
    () => {},
  )
  closers.push(() => database.close())
  await migrate(database.db)
  const began = performance.now()
  await write(database, count)
  const written = performance.now()
  let steps = 0
  while (await refreshNoticeIndex(database.pool)) steps += 1
  await database.pool.query('vacuum analyze')
  log(
    `${count.toLocaleString()} notices written in ${seconds(began, written)} s, counted in ${seconds(written, performance.now())} s (${steps} steps)`,
  )
  const services = await createServices({
    config,
    database,
    logger: pino({ level: 'error' }),
    say: () => {},
  })
  const app = await createApp({ database, services, logger: pino({ level: 'error' }) })
  closers.push(() => app.close())
  const session = await database.db
    .transaction()
    .execute((tx) => startSession(tx, { userId: '1', address: '127.0.0.1', userAgent: 'bench' }))
  return { app, pool: database.pool, session }
}

/** 300 authors, twenty years, titles as a company has them; a few words in one of ten thousand. */
async function write({ pool }: OpenDatabase, count: number): Promise<void> {
  await pool.query(`
    insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code)
    select 'user' || i, 'x', (array['김','이','박','최','정','강','조','윤','장','임'])[1 + i % 10]
        || (array['민준','서연','도윤','하은','지호','수아','예준','지유','한결','보람'])[1 + (i / 10) % 10],
      '대리', '01012345678', 'user' || i || '@example.com', 'BEL001', 'AUT003', 'MEMAP001'
    from generate_series(1, 300) as i`)
  // An index is built faster than it is grown; the search has it in the end as every Maru has.
  const { rows } = await pool.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where indexname = 'notices_grams'`,
  )
  const [grams] = rows
  if (grams === undefined) throw new Error('There is no index of the titles')
  await pool.query('drop index notices_grams')
  await pool.query(
    `insert into notices (bullet_code, title, memo, author_id, published_at)
     select 'BE0001',
       case when i % 10007 = 0 then '특이 사항 ' else '' end
       || (array['서버 점검 안내', '급여 지급일 안내', '보안 교육 이수 안내', '소방 훈련 실시', '사무실 이전 안내', '인사 발령',
         '가족의 날 행사', '파일 서버 점검 결과', '주차장 이용 안내', '연차 사용 계획 제출'])[1 + (i * 7 % 10)]
       || ' (' || i || '차)', '본문', 1 + (i * 13 % 300), now() - (i::float8 / $1) * interval '20 years' - interval '1 minute'
     from generate_series(1, $1::int) as i`,
    [count],
  )
  await pool.query(grams.indexdef)
  await pool.query('analyze')
}

async function measure(
  small: Board,
  large: Board,
  type: keyof typeof SEARCH_TYPE,
  text: string,
): Promise<number> {
  const boards = [small, large]
  const totals = [0, 0]
  for (const [at, board] of boards.entries()) {
    totals[at] = (await ask(board, type, text, 1)).total
    // The first one who looks for a longer text that many notices have waits; it is counted from then on.
    while (await refreshNoticeIndex(board.pool));
  }
  const words = ['first', 'middle', 'last']
  let worst = 0
  const said: string[] = []
  for (const [which, word] of words.entries()) {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS + 3; round += 1) {
      for (const [at, board] of boards.entries()) {
        const last = Math.max(1, Math.ceil((totals[at] ?? 0) / NOTICES_PER_PAGE))
        const { ms } = await ask(board, type, text, [1, Math.ceil(last / 2), last][which] ?? 1)
        if (round >= 3) times[at]?.push(ms)
      }
    }
    const [before, after] = times.map(median) as [number, number]
    worst = Math.max(worst, after / before)
    said.push(`${word} ${before.toFixed(1)} → ${after.toFixed(1)} (×${(after / before).toFixed(2)})`)
  }
  log(
    `${SEARCH_TYPE[type]} "${text}" [${totals.map((total) => total.toLocaleString()).join(' → ')}]: ${said.join(', ')}`,
  )
  return worst
}

async function ask(
  { app, session }: Board,
  type: keyof typeof SEARCH_TYPE,
  text: string,
  page: number,
): Promise<{ ms: number; total: number }> {
  const input = { searchType: SEARCH_TYPE[type], title: text, author: text, page }
  const payload = sealed(listNotices, input)
  const begin = performance.now()
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: API_BASE + listNotices.path,
    headers: { 'content-type': 'application/json', [SESSION_HEADER]: session },
    payload,
  })
  const ms = performance.now() - begin
  if (statusCode !== 200) throw new Error(`${statusCode}: ${body}`)
  const { totalCount } = unsealed(listNotices, body) as { totalCount: number }
  return { ms, total: totalCount }
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
