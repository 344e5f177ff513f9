/** Supports design/lists-and-counts#export, design/bulk-and-import#update-by-file. */
import { checkImport, importUsers } from '../../contract/users/import.ts'
import { checkUpdates, updateByImport } from '../../contract/users/import-update.ts'
import { defineBench, say } from './harness/bench.ts'
import { as, createCaller } from './harness/caller.ts'
import { startDemo } from './harness/maru.ts'
import { printHead, printRow, measureTime } from './harness/numbers.ts'

/**
 * Imports `rows` users, then updates all of them, each after a dry run. Prints the time and memory of each call, and
 * the number of users, mails, transactions and audit rows.
 */
export default defineBench({
  name: 'import-users',
  claim: '10,000 users are imported, and updated, in one transaction each, with a mail and a record for each',
  options: { rows: 10_000 },
  async run({ rows: count }) {
    const maru = await startDemo()
    const { pool } = maru.database
    const caller = createCaller(maru.port, 1)
    const session = as(await maru.signInAdmin())
    const { rows: partners } = await pool.query<{ code: string; affiliation_code: string }>(
      'select code, affiliation_code from partners order by id limit 1',
    )
    const rows = Array.from({ length: count }, (_, n) => ({
      userId: `bulk.${n}`,
      name: `김하늘${n}`,
      affiliationCode: partners[0]?.affiliation_code ?? '',
      position: '과장',
      phoneNumber: `010${String(n).padStart(8, '0')}`,
      email: `bulk.${n}@example.com`,
      roleCode: '일반 사용자',
      partnerCode: partners[0]?.code ?? '',
      validFrom: '2026-01-01',
      validTo: '2027-12-31',
    }))
    const edited = rows.map((row) => ({
      ...row,
      name: `${row.name}씨`,
      position: '부장',
      validTo: '2028-12-31',
    }))
    const managerPassword = 'Maru-demo-2026'

    printHead('call', 's', 'memory, MB', 'after')
    await measure('dry run', () => caller.output(checkImport, { rows }, session))
    await measure('import', () => caller.output(importUsers, { rows, managerPassword }, session))
    const { version } = await measure('dry run of an update', () =>
      caller.output(checkUpdates, { rows: edited }, session),
    )
    await measure('update', () =>
      caller.output(updateByImport, { rows: edited, version, managerPassword }, session),
    )
    const { rows: counted } = await pool.query<object>(
      `select (select count(*) from users where login_id like 'bulk.%' and position = '부장') as users,
        (select count(*) from mails) as mails,
        (select count(distinct xmin::text) from users where login_id like 'bulk.%') as transactions,
        (select count(*) from audit_log where action = 'user.update' and target like 'bulk.%') as records`,
    )
    say(JSON.stringify(counted[0]))

    /** Runs a step, prints its seconds and the memory before and after, and returns its output. */
    async function measure<T>(what: string, call: () => Promise<T>): Promise<T> {
      const before = maru.residentMb()
      const [output, ms] = await measureTime(call)
      printRow(what, ms / 1000, before.toFixed(0), maru.residentMb().toFixed(0))
      return output
    }
  },
})
