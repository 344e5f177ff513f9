/** Those who send requests. What they send may end their own account, or change what their role may do. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { EmbeddedConnection } from '../../../server/db/embedded.ts'
import type { OpenDatabase } from '../../../server/db/open.ts'
import { createPasswords } from '../../../server/services/password.ts'
import { PASSWORD, populate } from '../../test-kit/people.ts'
import { SAMPLE } from '../../test-kit/samples.ts'
import type { CallerName } from './requests.ts'

/** Where a running Maru's own database listens, as it says in its folder. */
export function ownDatabaseIn(dataDir: string): EmbeddedConnection {
  const lines = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  return { host: lines[4] ?? '', port: Number(lines[3]), user: 'maru', database: 'maru' }
}

/** Makes the people of a run, anew whenever a session of theirs is over. */
export async function createCallers({ db, pool }: Pick<OpenDatabase, 'db'> & { pool: pg.Pool }) {
  const people = populate({ db }, await createPasswords().hash(PASSWORD))
  const sessions = new Map<CallerName, string>()
  let count = 0
  await people.createUser({ loginId: SAMPLE.userId, email: SAMPLE.email })
  await people.createPartner({ code: SAMPLE.partner })
  const { token } = await people.createService()
  await pool.query('create table fuzz_functions as select * from role_functions')

  async function renew(caller: CallerName): Promise<void> {
    if (caller === 'nobody') return
    count += 1
    const role = caller
    const { id, session } = await people.createUser({ loginId: `fuzz.${caller}.${count}`, role })
    // The gate of one's own record is open, so that what is behind it is reached.
    await pool.query('update sessions set password_checked_at = now() where user_id = $1', [id])
    sessions.set(caller, session)
  }
  for (const caller of ['user', 'hr', 'admin'] as const) await renew(caller)
  return {
    serviceToken: token,
    sessionOf: (caller: CallerName) => sessions.get(caller),
    renew,
    /** What roles may do is again what it was. */
    async mend(): Promise<void> {
      await pool.query(`insert into role_functions select * from fuzz_functions on conflict do nothing`)
      await pool.query(`delete from role_functions f where role_code in (select role_code from fuzz_functions)
        and not exists (select from fuzz_functions o where o.role_code = f.role_code and o.function_name = f.function_name)`)
    },
  }
}
