/** A large company's rows: names as people have them, twenty years of notices, three of keys. */
import type pg from 'pg'
import { migrate } from '../../../server/db/migrate.ts'
import { NO_TIME_LIMIT, openDatabase } from '../../../server/db/open.ts'
import { startSession } from '../../../server/callers/sessions.ts'
import { writeKeys } from './keys.ts'

/** Numbers of rows beside the keys. */
interface Sizes {
  users: number
  notices: number
  partners: number
}

/** Returns the numbers of rows of a company with this many users: as many notices, and a partner per ten users. */
export const companyOf = (users: number): Sizes => ({ users, notices: users, partners: users / 10 })

/** Returns the name of a database that is kept for a company. */
export const databaseOf = (users: number, keys: number): string =>
  `maru_${keys}${users === 100_000 ? '' : `_${users}`}`

/** Family names of a hundred users. */
const FAMILY =
  '김*21 이*15 박*8 최*5 정*5 강*3 조*3 윤*3 장*3 임*3 한*2 오*2 서*2 신*2 권*2 황*2 안*2 송*2 류*2 홍*2 전 고 문 손 양 배 백 허 남 심 남궁'
/** First syllables of given names. */
const GIVEN = '민 서 지 하 도 현 준 우 은 예 수 유 시 윤 재 승 채 다 정 태 성 경 영 혜 나 소 연 원 진 상'
/** Last syllables of given names. */
const GIVEN_LAST = '준 서 우 은 호 윤 연 아 원 민 현 진 수 빈 희 영 경 미 정 숙 철 훈 석 기 환 람 솔 늘 결 봄'

/** Returns the words of a text, each as often as its `*` states; once without. */
const words = (text: string) =>
  text
    .split(' ')
    .flatMap((word) => Array<string>(Number(word.split('*')[1] ?? 1)).fill(word.split('*')[0] ?? ''))

/**
 * Migrates a database, and fills it if it has no users: with partners, users, notices, keys, and the tables of the baseline.
 * @param keys number of issued keys
 * @returns the sessionUid of a new session of its administrator
 */
export async function fillCompany(url: string, keys: number, sizes: Sizes): Promise<string> {
  const database = await openDatabase({ connectionString: url, ...NO_TIME_LIMIT }, () => {})
  const { pool, db } = database
  try {
    await migrate(db)
    const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from users')
    if (rows[0]?.n === 0) {
      await writePartners(pool, sizes.partners)
      await writeUsers(pool, sizes)
      await writeNotices(pool, sizes.notices)
      await writeKeys(pool, keys)
      await pool.query(FLOOR_TABLES)
      await pool.query('vacuum (analyze)')
    }
    return await db
      .transaction()
      .execute((tx) => startSession(tx, { userId: '1', address: '127.0.0.1', userAgent: 'bench' }))
  } finally {
    await database.close()
  }
}

/** Writes partners of all affiliations and regions. A quarter of them have no end. */
async function writePartners(pool: pg.Pool, partners: number): Promise<void> {
  await pool.query(
    `insert into partners (code, type, affiliation_code, province_code, province_name, district_name, x, y, valid_from,
       valid_to, limit_day, created_at)
     select 'BENCH-' || n, case when n % 3 = 0 then 'fa' else 'pa' end, 'BEL00' || 1 + n * 7919 / 13 % 8, p.code, p.name, d.name,
       d.x, d.y, date '2020-01-01' + n % 2000, case when n % 4 = 0 then null else date '2026-01-01' + n % 1500 end,
       nullif(n % 50, 0) * 10, now() - (n::float8 / $1) * interval '5 years'
     from generate_series(0, $1::int - 1) as n
     join (select *, row_number() over (order by code) - 1 as at from districts) d on d.at = n::bigint * 31 % 256
     join provinces p on p.code = d.province_code`,
    [partners],
  )
}

/** Writes users with common names, roles and states, the administrator first. */
async function writeUsers(pool: pg.Pool, { users, partners }: Sizes): Promise<void> {
  // The first is the administrator that asks. Every draw is a hash of the number: the same rows on every database.
  await pool.query(
    `insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code,
       approval_code, partner_id, created_at, valid_from, valid_to, suspended_at, last_login_at, withdrawn_at)
     select case when n = 0 then 'bench' else substr(md5(n::text), 1, 5) || n end, '-',
       ($2::text[])[h % cardinality($2::text[]) + 1] || ($3::text[])[h / 100 % cardinality($3::text[]) + 1]
         || ($4::text[])[h / 3000 % cardinality($4::text[]) + 1],
       (array['사원','사원','사원','주임','대리','대리','과장','차장','부장','이사'])[h / 7 % 10 + 1],
       '010' || lpad((n::bigint * 7919 * 104729 % 100000000)::text, 8, '0'), 'user' || n || '@example.com',
       'BEL00' || h / 11 % 8 + 1, case when n = 0 then 'AUT001' when h / 13 % 200 = 0 then 'AUT002' else 'AUT003' end,
       case when n > 0 and h / 17 % 50 = 0 then 'MEMAP002' else 'MEMAP001' end,
       (select min(id) from partners) + h / 19 % $5::int, now() - (1 - n::float8 / $1) * interval '10 years',
       case when h / 23 % 3 = 0 then date '2020-01-01' + h / 29 % 2500 end,
       case when n > 0 and h / 23 % 3 = 0 then date '2027-01-01' + h / 29 % 1500 when n > 0 and h / 23 % 20 = 1 then date '2026-06-01' + h / 29 % 300 end,
       case when n > 0 and h / 31 % 100 = 0 then now() - interval '3 days' end,
       case when h / 37 % 10 > 0 then now() - (h / 41 % 400) * interval '1 day' end,
       case when n > 0 and h / 43 % 50 = 0 then now() - interval '1 day' end
     from (select n, ('x' || substr(md5('maru' || n), 1, 7))::bit(28)::int as h from generate_series(0, $1::int - 1) as n) as draw`,
    [users, words(FAMILY), words(GIVEN), words(GIVEN_LAST), partners],
  )
}

/** Writes notices of twenty years, the last three of them pinned, by the first 301 users. Needs these users. */
async function writeNotices(pool: pg.Pool, notices: number): Promise<void> {
  await pool.query(
    `insert into notices (bullet_code, title, memo, author_id, published_at)
     select 'BE0001',
       case when i % 10007 = 0 then '특이 사항 ' else '' end
       || (array['서버 점검 안내', '급여 지급일 안내', '보안 교육 이수 안내', '소방 훈련 실시', '사무실 이전 안내', '인사 발령',
         '가족의 날 행사', '파일 서버 점검 결과', '주차장 이용 안내', '연차 사용 계획 제출'])[1 + (i * 7 % 10)]
       || ' (' || i || '차)', repeat('본문 ', 100), 1 + (i * 13 % 300),
       now() - (i::float8 / $1) * interval '20 years' - interval '1 minute'
     from generate_series(1, $1::int) as i`,
    [notices],
  )
  await pool.query(
    `update notices set pinned_until = '2999-12-31' where id in (select id from notices order by published_at desc limit 3)`,
  )
}

/** Statements that copy the tables for the baseline into the schema `floor`, with plain indexes. */
const FLOOR_TABLES = `
  create schema floor;
  create table floor.users as table users;
  alter table floor.users add primary key (id);
  create index on floor.users (created_at desc, id desc) where withdrawn_at is null;
  create index on floor.users (affiliation_code, created_at desc, id desc) where withdrawn_at is null;
  create index on floor.users (phone_number);
  create index on floor.users (name collate "C");
  create table floor.notices as table notices;
  alter table floor.notices add primary key (id);
  create index on floor.notices (published_at desc, id desc);
  create table floor.partners as table partners;
  alter table floor.partners add primary key (id);
  create index on floor.partners (created_at desc, id desc);
  create index on floor.partners (affiliation_code, created_at desc, id desc);
  create index on floor.partners (code);
  create table floor.keys as table issued_keys;
  alter table floor.keys add primary key (id);
  create index on floor.keys (issued_at desc, id desc);
  create index on floor.keys (affiliation_code, province_name, issued_at desc, id desc);
  create index on floor.keys (user_id, issued_at desc, id desc);
`
