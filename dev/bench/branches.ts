/** Supports design/roles-and-reach#branches: what a role of one branch costs in lists. */
import { API_BASE } from '../../contract/envelope.ts'
import { listKeys } from '../../contract/keys.ts'
import { listPartners } from '../../contract/partners.ts'
import { BRANCH_FUNCTIONS } from '../../contract/permissions.ts'
import { listUsers } from '../../contract/users.ts'
import { openOutput, sealInput } from '../test-kit/seal.ts'
import { defineBench, say } from './harness/bench.ts'
import { as } from './harness/caller.ts'
import { createFolder, open, signIn, startMaru } from './harness/maru.ts'
import { measureTime, median, printHead, printRow } from './harness/numbers.ts'
import { companyOf, databaseOf, fillCompany } from './lists/company.ts'
import { startKept } from './lists/databases.ts'

/** Parent of the branch; its child is another affiliation of the company. */
const BRANCH = 'BEL002'
/** Affiliation that the benchmark places below BRANCH. */
const CHILD = 'BEL003'
/** Roles with the same permissions, of the whole company and of one branch. */
const ROLES = { all: 'AUT960', branch: 'AUT961' } as const

/**
 * Calls that are compared: endpoint and input, by the label of their row. The role of the company also gets a filter by
 * BRANCH.
 */
const QUESTIONS = {
  users: [listUsers, {}],
  'users by name': [listUsers, { keyword: '김민' }],
  'users sorted by name': [listUsers, { sort: 'name', order: 'ASC' }],
  'users, page 100': [listUsers, { page: 100 }],
  partners: [listPartners, {}],
  keys: [listKeys, {}],
} as const

/**
 * Calls each list alternately as a user of a branch and as one of the company with a filter by the branch. Prints the
 * row counts of both, their medians and the ratio.
 */
export default defineBench({
  name: 'branches',
  claim:
    'A list of a branch role takes at most 1.2 times the time of the same list, filtered by the branch, of a role of the company',
  options: { users: 100_000, keys: 100_000, rounds: 60 },
  async run({ users, keys, rounds }) {
    const running = await startKept('own')
    const url = await running.urlOf(databaseOf(users, keys))
    await fillCompany(url, keys, companyOf(users))
    const database = await open({ connectionString: url, database: '' })
    const { pool } = database
    await pool.query(`update codes set parent_code = $1 where group_code = 'COMBEL001' and code = $2`, [
      BRANCH,
      CHILD,
    ])
    const sessions: Record<string, string> = {}
    for (const [span, code] of Object.entries(ROLES)) {
      await pool.query(
        `insert into roles (code, group_name, name_en, sort_order, span) values ($1, $1, $1, 9, $2) on conflict do nothing`,
        [code, span],
      )
      await pool.query(`insert into role_functions select $1, unnest($2::text[]) on conflict do nothing`, [
        code,
        BRANCH_FUNCTIONS,
      ])
      const { rows } = await pool.query<{ id: string }>(
        `update users set role_code = $1 where id = (
           select id from users where affiliation_code = $2 and role_code in ('AUT003', $1) order by role_code desc, id limit 1)
         returning id::text`,
        [code, BRANCH],
      )
      sessions[span] = await signIn(database, rows[0]?.id ?? '')
    }
    await pool.query('analyze')
    const maru = await startMaru({ env: { DATABASE_URL: url, DATA_DIR: createFolder() } })
    say(`${users.toLocaleString('en')} users, ${rounds} calls of each in turns, median ms`)
    printHead('list', 'rows', 'company, filtered', 'branch', 'ratio')
    for (const [label, [endpoint, input]] of Object.entries(QUESTIONS)) {
      const ask = async (span: keyof typeof ROLES) => {
        const body = sealInput(endpoint, { ...input, ...(span === 'all' && { affiliationCode: BRANCH }) })
        const headers = { 'Content-Type': 'application/json', ...as(sessions[span] ?? '') }
        const answer = await fetch(`http://127.0.0.1:${maru.port}${API_BASE}${endpoint.path}`, {
          method: 'POST',
          headers,
          body,
        })
        return openOutput(endpoint, await answer.text()) as { totalCount: number }
      }
      const times: Record<keyof typeof ROLES, number[]> = { all: [], branch: [] }
      const counts = [(await ask('all')).totalCount, (await ask('branch')).totalCount]
      for (let round = 0; round < rounds; round += 1)
        for (const span of ['all', 'branch'] as const)
          times[span].push((await measureTime(() => ask(span)))[1])
      const [company, branch] = [median(times.all), median(times.branch)]
      printRow(label, counts.join(' / '), company, branch, (branch / company).toFixed(2))
    }
    await maru.stop()
    await running.stop()
  },
})
