import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { listNotices } from '../../../contract/notices.ts'
import { findRunning } from '../../../server/db/embedded/find-running.ts'
import { verifyLog } from '../../../server/services/access-log/verify.ts'
import { deriveFrom, KEY_SECRET_FILE } from '../../../server/services/key-secret.ts'
import { faultsOfBytes, faultsOfContents } from '../kill/bytes.ts'
import { sumOf } from '../portal.ts'
import { callAt, type Desk, FILE_BYTES, type Kind, type Write } from './writer.ts'

/** Query for the names of the stored records, by kind. `look` searches them for the acknowledged writes. */
const FOUND: Record<Kind, string> = {
  person: 'select login_id from users',
  notice: 'select title from notices',
  file: 'select original_name from notice_files',
  partner: 'select code from partners',
  key: 'select request_key from issued_keys',
  approval: "select login_id from approval_requests where state = 'approved'",
}

/**
 * Compares rows that one transaction writes together, so their numbers must be equal: a line for each pair that
 * differs.
 */
const PAIRS = `select what || ': ' || rows || ' of them, ' || beside || ' ' || of as line from (values
  ('people', (select count(*) from users where login_id like 'w.%'), 'rows of the trail',
    (select count(*) from audit_log where action = 'user.register')),
  ('notices', (select count(*) from notices), 'rows of the trail',
    (select count(*) from audit_log where action = 'notice.create')),
  ('files', (select count(*) from notice_files), 'rows of the trail',
    (select count(*) from audit_log where action = 'file.upload')),
  ('partners', (select count(*) from partners where code like 'W-%'), 'rows of the trail',
    (select count(*) from audit_log where action = 'partner.create')),
  ('keys', (select count(*) from issued_keys), 'rows of the trail',
    (select count(*) from audit_log where action = 'key.issue')),
  ('approvals', (select count(*) from approval_requests where state = 'approved'), 'rows of the trail',
    (select count(*) from audit_log where action = 'user.approve')),
  ('approved requests', (select count(*) from approval_requests where state = 'approved'), 'approved applicants',
    (select count(*) from users where login_id like 'asks.%' and approval_code = 'MEMAP001'))
  ) as pairs (what, rows, of, beside) where rows <> beside`

/** Result of a check: acknowledged writes that are lost, and writes that exist only partly. */
export interface Look {
  /** A line for each acknowledged write that is missing. */
  lost: string[]
  /** A line for each write of which a part is missing, and for each problem of the files or the access log. */
  halves: string[]
}

/**
 * Checks all acknowledged writes, the files and the access log. Requires that no writer runs. Waits without a limit
 * until the database runs: after PostgreSQL's main process was killed, the others may still answer a write.
 * @param acknowledged writes that must exist
 */
export async function look(dataDir: string, desk: Desk, acknowledged: readonly Write[]): Promise<Look> {
  let running = findRunning(dataDir)
  for (; running === undefined; running = findRunning(dataDir)) await sleep(100)
  const pool = new pg.Pool({ ...running, max: 1 })
  pool.on('error', () => {})
  try {
    const lost: string[] = []
    for (const [kind, writes] of Map.groupBy(acknowledged, (write) => write.kind)) {
      const { rows } = await pool.query<[string]>({ text: FOUND[kind], rowMode: 'array' })
      const there = new Set(rows.map(([name]) => name))
      for (const { name } of writes) if (!there.has(name)) lost.push(`${kind} ${name}`)
    }
    const { rows: pairs } = await pool.query<{ line: string }>(PAIRS)
    const { rows: counted } = await pool.query<{ n: number }>('select count(*)::int as n from notices')
    const list = await callAt(desk.port, listNotices, { page: 1, perPage: 1 }, desk.admin)
    const told = (list as { totalCount: number }).totalCount
    const files = join(dataDir, 'files')
    const sum = sumOf({ name: '', size: FILE_BYTES })
    const bytes = [
      ...(await faultsOfBytes(pool, files, false)),
      ...(await faultsOfContents(pool, files, sum)),
    ]
    const log: string[] = []
    const seeds = deriveFrom((await readFile(join(dataDir, KEY_SECRET_FILE), 'utf8')).trim()).logSeeds
    for await (const { month, problem } of verifyLog({ pool, dataDir, seeds }))
      if (problem !== '') log.push(`the access log of ${month}: ${problem}`)
    return {
      lost,
      halves: [
        ...pairs.map(({ line }) => line),
        ...(told === counted[0]?.n
          ? []
          : [`the list counts ${told} notices, and there are ${counted[0]?.n}`]),
        ...bytes,
        ...log,
      ],
    }
  } finally {
    await pool.end()
  }
}
