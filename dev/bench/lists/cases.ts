/** Queries of the benchmark, and the same in SQL for the baseline. */
import type { Endpoint } from '../../../contract/endpoint.ts'
import { KEYS_PER_PAGE, listKeys } from '../../../contract/keys.ts'
import { listNotices, NOTICES_PER_PAGE, SEARCH_TYPE } from '../../../contract/notices.ts'
import { listPartners, PARTNERS_PER_PAGE } from '../../../contract/partners.ts'
import { listUsers, USERS_PER_PAGE } from '../../../contract/users.ts'

/** A call of a list that is measured, and the SQL of the same page for the baseline. */
export interface Case {
  label: string
  endpoint: Endpoint
  input: object
  page: 'first' | 'middle' | 'last'
  perPage: number
  /** Returns the SQL statement of the baseline for a page from this offset on. */
  floor: (offset: number) => string
}

/** A list: its call, and the parts of the baseline's SQL. */
interface List {
  endpoint: Endpoint
  perPage: number
  /** The baseline's columns, its tables for the count (`from`), and tables that only bring names (`names`). */
  columns: string
  from: string
  names: string
  order: string
}

/** Join that brings names of affiliations; the column of the affiliation follows it. */
const NAMES = `left join codes b on b.group_code = 'COMBEL001' and b.code =`
/** List of users, without those who have withdrawn (HERE). */
const users: List = {
  endpoint: listUsers,
  perPage: USERS_PER_PAGE,
  columns: `u.login_id, u.name, b.name_ko, u.phone_number, u.created_at, a.name_ko as approval, u.position, u.email,
    r.group_name, p.code, u.valid_from, u.valid_to, u.last_login_at`,
  from: 'floor.users u',
  names: `join roles r on r.code = u.role_code left join floor.partners p on p.id = u.partner_id ${NAMES} u.affiliation_code
    left join codes a on a.group_code = 'KAMEMTY001' and a.code = u.approval_code`,
  order: 'u.created_at desc, u.id desc',
}
/** List of issued keys. */
const keys: List = {
  endpoint: listKeys,
  perPage: KEYS_PER_PAGE,
  columns: `k.id, k.province_name, k.district_name, b.name_ko, u.login_id, u.name, u.phone_number, k.request_key,
    k.issued_at, k.revoked_at, k.revoke_reason`,
  from: 'floor.keys k join floor.users u on u.id = k.user_id',
  names: `${NAMES} k.affiliation_code`,
  order: 'k.issued_at desc, k.id desc',
}
/** List of notices. */
const notices: List = {
  endpoint: listNotices,
  perPage: NOTICES_PER_PAGE,
  columns: 'n.id, n.bullet_code, n.title, u.login_id, u.name, n.published_at, n.pinned_until, n.must_read',
  from: 'floor.notices n join floor.users u on u.id = n.author_id',
  names: '',
  order: 'n.published_at desc, n.id desc',
}
/** List of partners. */
const partners: List = {
  endpoint: listPartners,
  perPage: PARTNERS_PER_PAGE,
  columns: 'p.*, b.name_ko',
  from: 'floor.partners p',
  names: `${NAMES} p.affiliation_code`,
  order: 'p.created_at desc, p.id desc',
}

/** A label, an input and the baseline's condition; by default the first page and the list's order. */
type Question = [label: string, input: object, where: string, page?: Case['page'], order?: string]

/** Returns the cases of a list, with the SQL of the baseline. */
function casesOf(list: List, questions: readonly Question[]): Case[] {
  const { endpoint, perPage, columns, from, names } = list
  return questions.map(([label, input, where, page = 'first', order = list.order]) => {
    const floor = (offset: number) =>
      `select (select count(*)::int from ${from} where ${where}) as total, array(
        select row_to_json(shown) from (select ${columns} from ${from} ${names} where ${where}
          order by ${order} limit ${perPage} offset ${offset}) shown) as rows`
    return {
      label: page === 'first' ? label : `${label}, ${page} page`,
      endpoint,
      input,
      page,
      perPage,
      floor,
    }
  })
}

/** Pages of a list that are measured without a filter. */
const EACH_PAGE = ['first', 'middle', 'last'] as const
/** The baseline's condition of users who have not withdrawn. */
const HERE = 'u.withdrawn_at is null'
/** Returns the baseline's condition that a user who has not withdrawn has a name that contains a text. */
const named = (name: string) => `${HERE} and u.name like '%${name}%'`
/** Filter of the keys that were issued in a year. */
const YEAR = { issuedFrom: '2025-02-11', issuedTo: '2026-02-10' }
/** The baseline's condition for YEAR. */
const IN_YEAR = `k.issued_at >= '2025-02-11 00:00+09' and k.issued_at < '2026-02-11 00:00+09'`
/** Filter of the keys of an affiliation in a province. */
const PLACE = { affiliationCode: 'BEL003', provinceName: '경기도' }
/** The baseline's condition for PLACE. */
const IN_PLACE = `k.affiliation_code = 'BEL003' and k.province_name = '경기도'`

/** Sort columns of the user list in the SQL of the baseline, by the value of `sort`. Each is measured. */
const USER_ORDERS = {
  userId: 'u.login_id',
  name: 'u.name collate "C"',
  affiliationName: 'b.name_ko collate "C"',
  phoneNumber: 'u.phone_number collate "C"',
  approval: 'a.name_ko collate "C"',
  position: 'u.position collate "C"',
  email: 'u.email collate "C"',
  roleName: 'r.group_name collate "C"',
  partnerCode: 'p.code',
  validFrom: 'u.valid_from',
  validTo: 'u.valid_to',
  lastLoginAt: 'u.last_login_at',
}

/** All queries, by the name of the list that option `list` selects. */
export const CASES: Readonly<Record<string, Case[]>> = {
  users: casesOf(users, [
    ...EACH_PAGE.map((page): Question => ['no filter', {}, HERE, page]),
    ['affiliation', { affiliationCode: 'BEL003' }, `${HERE} and u.affiliation_code = 'BEL003'`],
    ['not approved', { approvalCode: 'MEMAP002' }, `${HERE} and u.approval_code = 'MEMAP002'`],
    ['a role', { roleCode: 'AUT002' }, `${HERE} and u.role_code = 'AUT002'`],
    ...['김', '김민', '김민서'].map((name): Question => [name, { name }, named(name)]),
    ['김', { name: '김' }, named('김'), 'last'],
    ['last four digits', { phoneNumber: '1234' }, `${HERE} and u.phone_number like '%1234%'`],
    ...['김', '김민'].map((name): Question => [
      `${name}, affiliation`,
      { name, affiliationCode: 'BEL003' },
      `${named(name)} and u.affiliation_code = 'BEL003'`,
    ]),
    [
      'valid today',
      { validity: 'ACTIVE' },
      `${HERE} and u.suspended_at is null and coalesce(u.valid_from <= current_date, true) and coalesce(u.valid_to >= current_date, true)`,
    ],
    ['never logged in', { lastLogin: 'NEVER' }, `${HERE} and u.last_login_at is null`],
    [
      'a partner code',
      { partnerCode: 'BENCH-123' },
      `${HERE} and u.partner_id in (select id from floor.partners where code ilike '%BENCH-123%')`,
    ],
    ...Object.entries(USER_ORDERS).flatMap(([sort, by]) =>
      (sort === 'name' ? EACH_PAGE : (['first'] as const)).map((page): Question => {
        const order = `${by} nulls last, ${users.order}`
        return [`by ${sort}`, { sort, order: 'ASC' }, HERE, page, order]
      }),
    ),
    [
      'by name, descending',
      { sort: 'name', order: 'DESC' },
      HERE,
      'first',
      `u.name collate "C" desc, ${users.order}`,
    ],
  ]),
  keys: casesOf(keys, [
    // Without far pages: the floor takes 13 seconds for one.
    ['no filter', {}, 'true'],
    ['affiliation', { affiliationCode: 'BEL003' }, `k.affiliation_code = 'BEL003'`],
    ['province', { provinceName: '경기도' }, `k.province_name = '경기도'`],
    ['affiliation, province', PLACE, IN_PLACE],
    [
      'a partner',
      { partnerCode: 'BENCH-77' },
      `k.partner_id in (select id from floor.partners where code like '%BENCH-77%')`,
    ],
    [
      'partners of a part of the code, a year',
      { partnerCode: 'BENCH-7', ...YEAR },
      `k.partner_id in (select id from floor.partners where code like '%BENCH-7%') and ${IN_YEAR}`,
    ],
    [
      'a district',
      { provinceName: '경기도', districtName: '수원시' },
      `k.province_name = '경기도' and k.district_name = '수원시'`,
    ],
    ['a year', YEAR, IN_YEAR],
    ...['김', '김민', '김민서'].map((requesterName): Question => [
      requesterName,
      { requesterName },
      `u.name like '%${requesterName}%'`,
    ]),
    ['last four digits', { phoneNumber: '1234' }, `u.phone_number like '%1234%'`],
    ...['김', '김민', '김민서'].map((requesterName): Question => [
      `${requesterName}, affiliation, province, a year`,
      { requesterName, ...PLACE, ...YEAR },
      `u.name like '%${requesterName}%' and ${IN_PLACE} and ${IN_YEAR}`,
    ]),
  ]),
  notices: casesOf(notices, [
    ...EACH_PAGE.map((page): Question => ['no filter', {}, 'true', page]),
    ...['점', '서버 점검 안내', '9999'].map((title): Question => [
      `title ${title}`,
      { searchType: SEARCH_TYPE.title, title },
      `n.title like '%${title}%'`,
    ]),
    ['author 김', { searchType: SEARCH_TYPE.author, author: '김' }, `u.name like '%김%'`],
    ['either 김', { title: '김', author: '김' }, `(n.title like '%김%' or u.name like '%김%')`],
  ]),
  partners: casesOf(partners, [
    ...EACH_PAGE.map((page): Question => ['no filter', {}, 'true', page]),
    ['affiliation', { affiliationCode: 'BEL003' }, `p.affiliation_code = 'BEL003'`],
    ['a part of the code', { partnerCode: '77' }, `p.code like '%77%'`],
    ['valid since', { validFrom: '2026-11-01' }, `coalesce(p.valid_to >= '2026-11-01', true)`],
    ['by code', { sort: 'partnerCode', order: 'ASC' }, 'true', 'first', 'p.code'],
    [
      'by province',
      { sort: 'provinceName', order: 'ASC' },
      'true',
      'first',
      `p.province_name, ${partners.order}`,
    ],
  ]),
}
