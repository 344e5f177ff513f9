import type pg from 'pg'
import type { Logger } from 'pino'
import { messageOf } from './caught-errors.ts'
import { createBackupWatch } from './services/backup-watch.ts'
import type { Config } from './config.ts'
import { StartRefusal } from './startup-error.ts'
import type { OpenDatabase } from './db/open.ts'
import type { Services } from './http/handler.ts'
import { createAddressLimits } from './http/admission/rate-limits.ts'
import { createJobs } from './services/job-runner.ts'
import { createAccessLog } from './services/access-log.ts'
import { createCertificateWatch } from './services/tls-certificates.ts'
import { openKeySecret } from './services/key-secret.ts'
import { openMail } from './services/mail.ts'
import { createOutbound } from './services/outbound.ts'
import { createPasswords } from './services/password.ts'
import { createDiskSpace } from './services/disk-space.ts'
import { createScanner, isExecutable, type Scanner } from './services/scanner.ts'
import { StorageAway } from './services/storage/unavailable.ts'
import { openDiskStorage } from './services/storage/disk.ts'
import { openSettings } from './services/settings.ts'
import type { Storage } from './services/storage.ts'

/** Parts that services are created from. */
export interface ServiceParts {
  config: Config
  database: OpenDatabase
  logger: Logger
  /** Prints a line for the person who starts Maru. */
  say: (line: string) => void
}

/**
 * Creates every service of the configuration. Opens storage, scanner, settings and access log. Jobs do not run until
 * `jobs` is started.
 * @param own services that replace those of the configuration, such as cheap password hashes in tests: only `storage`,
 * `keySecret`, `passwords`, `limits` and `accessLog`
 * @throws {StartRefusal} if files cannot be stored at the configured location, or SCAN_COMMAND is not found
 */
export async function createServices(
  { config, database, logger, say }: ServiceParts,
  own: Partial<Services> = {},
): Promise<Services> {
  const storage = own.storage ?? (await openStorage(config))
  const jobs = createJobs(logger)
  const { pool } = database
  const scanner = await openScanner(config, logger)
  const keySecret = own.keySecret ?? openKeySecret(config)
  const settings = await openSettings(pool, config, keySecret)
  return {
    config,
    passwords: own.passwords ?? createPasswords(),
    storage,
    scanner,
    limits: own.limits ?? createAddressLimits(pool),
    keySecret,
    accessLog: own.accessLog ?? (await openAccessLog(config, pool, keySecret.logSeeds, logger)),
    settings,
    mail: openMail({
      pool,
      dataDir: config.dataDir,
      server: () => settings.mailServer(),
      logger,
      say,
      wake: () => jobs.wake('mail'),
    }),
    jobs,
    backups: createBackupWatch(),
    diskSpace: createDiskSpace(config.databaseUrl === '' ? config.dataDir : undefined, logger),
    certificates: createCertificateWatch(config, () => settings.mailServer().smtpUrl),
    outbound: createOutbound(config.outboundHosts),
    databaseAdvice: database.advice,
  }
}

/** Opens the access log. Fetches its signed heads from their second place, and signs the current ones. */
async function openAccessLog(config: Config, pool: pg.Pool, seeds: readonly Buffer[], logger: Logger) {
  const openCopies = copiesOf(config)
  const log = createAccessLog({ pool, dataDir: config.dataDir, seeds, openCopies, logger })
  // A new machine takes signed heads from the second place.
  await log.keepCopies()
  await log.keepHeads()
  return log
}

/**
 * Returns a function that opens the second place of the access log's signed heads. It opens the place once, and again
 * after a failure, which is that of `openStorage`.
 * @returns undefined if ACCESS_LOG_COPY_URL is not set
 */
export function copiesOf({ dataDir, accessLogCopy, secrets }: Config): (() => Promise<Storage>) | undefined {
  if (accessLogCopy === null) return undefined
  let opened: Promise<Storage> | undefined
  return () => {
    opened ??= openStorage({ dataDir, storage: accessLogCopy, secrets: { storage: secrets.accessLogCopy } })
    opened.catch(() => (opened = undefined))
    return opened
  }
}

/**
 * Returns the virus scanner; null without SCAN_COMMAND.
 * @throws {StartRefusal} if its program is not found
 */
async function openScanner({ scan }: Config, logger: Logger): Promise<Scanner | null> {
  const [program] = scan.command
  if (program === undefined) return null
  if (!(await isExecutable(program)))
    throw new StartRefusal(
      `SCAN_COMMAND: the program ${program} was not found. Correct it in the environment or in .env and start again.`,
    )
  return createScanner(scan, logger)
}

/** Location of a storage, and its credentials. */
interface StorageConfig extends Pick<Config, 'dataDir' | 'storage'> {
  secrets: Pick<Config['secrets'], 'storage'>
}

/**
 * Opens the configured storage of attached files, or of the signed heads.
 * @param options.make false if a missing folder is an error; by default it is created
 * @throws {StartRefusal} if files cannot be stored there. The message names STORAGE_URL or DATA_DIR
 */
export async function openStorage(
  { dataDir, storage: place, secrets }: StorageConfig,
  options: { make?: boolean } = {},
): Promise<Storage> {
  try {
    if (place.kind === 'disk') return await openDiskStorage(place.root, options)
    // A large library that only a bucket needs.
    const { openS3Storage } = await import('./services/storage/s3.ts')
    const { endpoint, region, bucket, prefix } = place
    const credentials = secrets.storage && { credentials: secrets.storage }
    const storage = openS3Storage({ bucket, prefix, client: { endpoint, region, ...credentials } })
    await storage.ready()
    return storage
  } catch (error) {
    const why = messageOf(error)
    if (error instanceof StorageAway)
      throw new StartRefusal(`${why}. Mount its disk, or restore the files from a backup.`, {
        cause: error,
      })
    throw new StartRefusal(
      place.kind === 's3'
        ? `STORAGE_URL: the bucket ${place.bucket} at ${place.endpoint} cannot be used (${why}). Check that the bucket exists and that key and secret are correct.`
        : `DATA_DIR ${dataDir} cannot be written (${place.root}: ${why}). Give the user that runs Maru write permission, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}
