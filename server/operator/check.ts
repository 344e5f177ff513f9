import { Readable } from 'node:stream'
import { messageOf } from '../caught-errors.ts'
import { readState } from './records.ts'
import { testsRestore, toBackupReport } from '../services/backup-watch.ts'
import type { Config } from '../config.ts'
import { copiesOf } from '../create-services.ts'
import { headPartsOf } from './access-log.ts'
import { checkKeySecret, formerSecretsOf } from '../domains/keys/index.ts'
import { migrations } from '../db/migrate.ts'
import type { OpenDatabase } from '../db/open.ts'
import { openKeySecret } from '../services/key-secret.ts'
import { signatureProblems } from '../services/access-log/accept.ts'
import { verifyLog } from '../services/access-log/verify.ts'
import { MAIL_COLUMNS, mailServerOf } from '../services/mail/mail-server.ts'
import { openMailTransport } from '../services/mail/transport.ts'
import { runScanner } from '../services/scanner.ts'
import { findServer } from '../services/server-registry.ts'
import { getPairingState } from '../services/storage/pairing.ts'
import type { Storage, StorageKey } from '../services/storage.ts'
import { StartRefusal } from '../startup-error.ts'

/** Result of one check. `name` is that of a part of Maru, such as `database` or `mail`, or a month of the access log. */
export interface Finding {
  name: string
  /** False for a problem that the operator must solve. */
  isGood: boolean
  /** One line for the operator: the state, or the problem and what to do. */
  line: string
}

/**
 * Components that are checked. `storage` is a function that opens it, so that an unavailable storage is a finding, too.
 */
export interface CheckParts {
  config: Config
  database: OpenDatabase
  storage: () => Promise<Storage>
}

/** Command that pairs database and storage. */
const ADOPT = 'npm run check -- --adopt-storage'

/** Most seconds by which the clocks of this machine and the database may differ. */
const CLOCK_SECONDS = 2

/** Test text that every scanner reports as a virus (eicar.org). */
const EICAR = String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`
/** Milliseconds that the check of the mail server may take. */
const MAIL_MS = 10_000

/**
 * Checks all parts that Maru needs, also while Maru runs: database, storage, files, quarantine, keys, access log, mail, backups,
 * scanner and clock. Changes nothing. Yields a finding per check, and an error as a finding.
 */
export async function* check(parts: CheckParts): AsyncGenerator<Finding> {
  for (const [name, runCheck] of Object.entries(CHECKS)) {
    try {
      yield { name, isGood: true, line: await runCheck(parts) }
    } catch (error) {
      yield {
        name,
        isGood: false,
        line: messageOf(error),
      }
    }
  }
}

/**
 * Verifies the whole access log, which takes long. Stores the time, the number of months and that of the problems at the end
 * (rules/running#check-log). Yields one finding per month, named `YYYY-MM`.
 */
export async function* checkLog({
  config,
  database: { pool },
}: Pick<CheckParts, 'config' | 'database'>): AsyncGenerator<Finding> {
  const seeds = openKeySecret(config).logSeeds
  const copies = await copiesOf(config)?.()
  let months = 0
  let problems = 0
  for await (const { month, rows, problem } of verifyLog({ pool, dataDir: config.dataDir, seeds, copies })) {
    months += 1
    if (problem !== '') problems += 1
    yield {
      name: month.slice(0, 7),
      isGood: problem === '',
      line: problem || `${rows} rows as they were written`,
    }
  }
  await pool.query('insert into access_log_checks (months, problems) values ($1, $2)', [months, problems])
}

/**
 * Lists the files in quarantine, and since when each is there. No row names them, and they are deleted after their retention
 * period.
 */
export async function listQuarantine(storage: Storage): Promise<{ key: StorageKey; since: Date }[]> {
  const found: { key: StorageKey; since: Date }[] = []
  for await (const { path, files } of storage.list('quarantine'))
    for (const [name, since] of files) found.push({ key: { path, name }, since })
  return found
}

/** Checks by name. Each returns the line of a good finding, and throws an error with that of a problem. */
const CHECKS: Record<string, (parts: CheckParts) => Promise<string>> = {
  /**
   * Problems: no Maru database, migrations of a newer version, or advice of `openDatabase`. Otherwise states version, size and
   * due migrations.
   */
  async database({ database: { pool, advice } }) {
    const { rows } = await pool.query<{ version: string; size: string; present: boolean }>(
      `select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size,
        to_regclass('migrations') is not null as present`,
    )
    const [{ version, size, present } = { version: '', size: '', present: false }] = rows
    if (!present)
      throw new StartRefusal(
        `PostgreSQL ${version} answers, but contains no Maru database yet. Start Maru once.`,
      )
    const { rows: run } = await pool.query<{ name: string }>('select name from migrations')
    const known = new Set(migrations.map(({ name }) => name))
    const newer = run.filter(({ name }) => !known.has(name)).map(({ name }) => name)
    if (newer.length > 0)
      throw new StartRefusal(
        `The database was migrated by a newer version of Maru (${newer.join(', ')}). Start that version.`,
      )
    const due = known.size - run.length
    if (advice.length > 0) throw new StartRefusal(advice.join(' '))
    return `PostgreSQL ${version}, ${size}${due === 0 ? '' : `, ${due} migrations will run at the next start`}`
  },

  // Not running is no failure, because the check is also for a stopped Maru.
  async server({ database: { pool } }) {
    const server = await findServer(pool)
    return server === undefined ? 'no Maru runs on this database' : `Maru runs (${server})`
  },

  /** Writes to the storage as a test. Problem: free space is below the minimum. */
  async storage({ config, storage: open }) {
    const storage = await open()
    await storage.ready()
    const room = await storage.room()
    if (room <= 0)
      throw new StartRefusal('There is no space for files: free space is below the minimum. Free some space.')
    const place =
      config.storage.kind === 'disk'
        ? config.storage.root
        : `${config.storage.endpoint}/${config.storage.bucket}`
    return `${place} takes files${Number.isFinite(room) ? `, ${Math.floor(room / 1024 ** 2)} MB free` : ''}`
  },

  /** Problem: files of notices are missing from the storage. Names at most ten notices. */
  async files({ database: { pool }, storage: open }) {
    const storage = await open()
    const { rows } = await pool.query<{ path: string; name: string; notice: string }>(
      'select save_path as path, save_file_name as name, notice_id::text as notice from notice_files',
    )
    const lost: string[] = []
    for (const { notice, ...key } of rows) if ((await storage.sizeOf(key)) === null) lost.push(notice)
    if (lost.length === 0) return `${rows.length} files of notices are there`
    throw new StartRefusal(
      `${lost.length} of ${rows.length} files are missing from the storage (notices ${[...new Set(lost)].slice(0, 10).join(', ')}). Restore them from a backup.`,
    )
  },

  /**
   * Problems: the storage belongs to another installation, does not match this database, or has too many files without a row.
   */
  async sweep({ database: { pool }, storage: open }) {
    const { rows } = await pool.query<{ stopped: string | null; sweptAt: Date | null; unnamed: number }>(
      'select stopped, swept_at as "sweptAt", unnamed from storage_mark',
    )
    const [{ stopped, sweptAt, unnamed } = { stopped: null, sweptAt: null, unnamed: 0 }] = rows
    const pairing = await getPairingState(pool, await open())
    if (stopped === 'owner')
      throw new StartRefusal(
        'The storage contains the files of another installation, so nothing is deleted there. Set STORAGE_URL to a separate place for this installation.',
      )
    if (pairing === 'differs')
      throw new StartRefusal(
        `This database is not the one that swept the storage last: it was restored or copied, or the storage is another. Nothing is removed; ${unnamed} files have no row here. A copy for trying out: give it a STORAGE_URL of its own. If this database alone is to keep these files: ${ADOPT}.`,
      )
    if (stopped === 'mass')
      throw new StartRefusal(
        `${unnamed} files have no row in this database, which is too many for a few orphaned files. Nothing is deleted. Restore the missing rows from a backup. If the files are not needed, quarantine them: ${ADOPT}.`,
      )
    return pairing === 'new'
      ? 'the storage has not been swept yet'
      : `database and storage know each other${sweptAt === null ? '' : `, swept ${sweptAt.toISOString()}`}`
  },

  /** Counts the files in quarantine without a row, and the infected ones. Has no problem. */
  async aside({ config, database: { pool }, storage: open }) {
    const quarantined = await listQuarantine(await open())
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from uploads where quarantined_at is not null',
    )
    const scanned = `${rows[0]?.count ?? 0} files in which the scanner found something`
    if (quarantined.length === 0) return `nothing without a row is in quarantine; ${scanned}`
    const [first] = quarantined.map(({ since }) => since).toSorted((a, b) => a.getTime() - b.getTime())
    const end = new Date((first?.getTime() ?? 0) + config.scan.quarantineDays * 86_400_000)
    return `${quarantined.length} files without a row are in quarantine, the first goes on ${end.toLocaleDateString('sv-SE', { timeZone: 'Asia/Seoul' })} (npm run check -- --quarantine lists them); ${scanned}`
  },

  /** Problem: the key secret does not match the database. Otherwise counts the keys that need a previous secret. */
  async keys({ config, database: { db } }) {
    const secret = openKeySecret(config)
    await checkKeySecret(db, secret)
    const fits = config.secrets.keySecret === '' ? `the secret of ${config.dataDir} fits` : 'KEY_SECRET fits'
    const former = await formerSecretsOf(db, secret)
    if (former.length > 0)
      return `${fits}; ${former.map(({ version, keys }) => `${keys} keys still need the former secret of version ${version}`).join(', ')}`
    return secret.fingerprints.length > 1 ? `${fits}; no key needs a former one any more` : fits
  },

  /** Problem: the access log does not match its signed heads or their copies. */
  async log({ config, database: { pool } }) {
    const copies = await copiesOf(config)?.()
    const problems = await signatureProblems(headPartsOf(config, pool), copies)
    if (problems.length > 0)
      throw new StartRefusal(
        `${problems.join('; ')}: the access log was changed from outside, or its signatures are lost. Verify all of it with npm run check -- log. If the rows are correct, run npm run admin -- accept-access-log REASON`,
      )
    return `the access log matches its signatures${copies ? ' and their copies' : ''}`
  },

  /** Problem: the mail server does not accept mails. No mail server is no problem. */
  async mail({ config, database: { db } }) {
    const row = await db.selectFrom('settings').select(MAIL_COLUMNS).executeTakeFirstOrThrow()
    const { smtpUrl } = mailServerOf(config, openKeySecret(config), row)
    if (smtpUrl === '') return `no mail server: mails become files in ${config.dataDir}/outbox`
    const transport = openMailTransport(smtpUrl, config.dataDir, () => {})
    try {
      const reason = await transport.whyAway(AbortSignal.timeout(MAIL_MS))
      if (reason !== null)
        throw new StartRefusal(
          `${config.given.has('SMTP_URL') ? 'SMTP_URL' : 'the mail server set in the portal'}: ${reason}`,
        )
      return 'the mail server answers'
    } finally {
      transport.close()
    }
  },

  /** Problems: the last backup is late, its restore test failed, or it lacks files. No BACKUP_DIR is no problem. */
  async backups({ config, database: { pool } }) {
    const { dir, at, recipients } = config.backups
    if (dir === '') return 'no BACKUP_DIR: Maru takes none by itself'
    const { last, failure, test, isLate } = toBackupReport(await readState(pool), at, new Date())
    const state =
      last === null
        ? 'none by BACKUP_DIR is whole yet'
        : `the last was whole ${last.endedAt.toISOString()}: ${last.folder}`
    if (isLate)
      throw new StartRefusal(`The backup is late${failure === null ? '' : ` (${failure})`}; ${state}`)
    if (test !== null && test.failure !== null)
      throw new StartRefusal(`The last restore test failed (${test.failure}); ${state}`)
    if (last !== null && last.missing > 0)
      throw new StartRefusal(
        `The last backup lacks ${last.missing} files that the storage has lost; ${state}`,
      )
    if (recipients.length === 0) return state
    return `${state}; backups are encrypted, and a test ${testsRestore(config.backups) ? 'restores them' : 'only verifies their checksums, without BACKUP_IDENTITY_FILE'}`
  },

  /** Problems: the scanner fails, does not detect the EICAR test file, or reports a harmless file. No scanner is no problem. */
  async scanner({ config: { scan } }) {
    if (scan.command.length === 0) return 'no SCAN_COMMAND: attached files are not scanned'
    const late = () => AbortSignal.timeout(scan.seconds * 1000)
    const verdictOn = (content: string) =>
      runScanner(scan.command, () => Promise.resolve(Readable.from([content])), late()).catch(
        (error: Error) => {
          throw new StartRefusal(`SCAN_COMMAND: ${error.message}`)
        },
      )
    if ((await verdictOn(EICAR)).result !== 'found')
      throw new StartRefusal(
        'SCAN_COMMAND: the scanner does not detect the EICAR test file. Check its signatures.',
      )
    if ((await verdictOn('maru')).result !== 'clean')
      throw new StartRefusal(
        'SCAN_COMMAND: the scanner reports a harmless file as infected. Check the command.',
      )
    return 'the scanner detects the EICAR test file'
  },

  /** Problems: the clocks of this machine and the database differ by more than CLOCK_SECONDS, or the clock is untrusted. */
  async clock({ database: { pool } }) {
    const sent = Date.now()
    const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
    const received = Date.now()
    const now = rows[0]?.now.getTime() ?? Number.NaN
    // The database reads its clock between these two times.
    const off = Math.max(0, sent - now, now - received) / 1000
    if (off > CLOCK_SECONDS)
      throw new StartRefusal(
        `The clocks of this machine and the database differ by ${off.toFixed(1)} s. Set both by NTP.`,
      )
    const { rows: doubted } = await pool.query<{ since: Date; trusted: Date }>(
      'select doubted_since as since, trusted_at as trusted from heartbeat where doubted_since is not null',
    )
    if (doubted[0])
      throw new StartRefusal(
        `It jumped by more than a day: it was ${doubted[0].trusted.toISOString()} before, and since ${doubted[0].since.toISOString()} nothing ends or is removed by it. Set it by NTP; is it right, that ends after a day, or at once by: npm run psql -- -c "update heartbeat set trusted_at = now()"`,
      )
    return 'the clocks of this machine and the database agree'
  },
}
