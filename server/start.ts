import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { messageOf } from './caught-errors.ts'
import { createApp } from './app.ts'
import { walFolderOf, moveWal } from './operator/wal.ts'
import type { Config } from './config.ts'
import { StartRefusal } from './startup-error.ts'
import { startWarnings } from './startup-warnings.ts'
import { createServices } from './create-services.ts'
import { CONNECTION_LOST, createLog } from './log.ts'
import { type EmbeddedDatabase, startEmbedded } from './db/embedded.ts'
import { systemIdOf } from './db/embedded/wal-archive.ts'
import { migrate } from './db/migrate.ts'
import { NO_TIME_LIMIT, openDatabase, type OpenDatabase } from './db/open.ts'
import { isSameDatabase, mayChangeTrail } from './db/serving-role.ts'
import { createFirstAdmin, renewErasedIds, renewSealed } from './domains/account/index.ts'
import { renewWebhookSecrets } from './domains/events/index.ts'
import { checkKeySecret } from './domains/keys/index.ts'
import type { Services } from './http/handler.ts'
import { listJobs } from './jobs/schedule.ts'
import { listen, trackUnusedConnections } from './listen.ts'
import { upgradeEmbedded } from './operator/upgrade-embedded.ts'
import { renewSignatures } from './services/access-log/heads.ts'
import { checkServerCompatibility, registerServer } from './services/server-registry.ts'
import { withTimeout } from './services/with-timeout.ts'
import { renewClientSecrets } from './domains/sso/index.ts'
import { renewMailPassword } from './services/mail/mail-server.ts'
import { keepFirstUrl } from './services/settings.ts'

/** Milliseconds that the close of a part may take. Then the stop goes on without it. */
const CLOSE_MS = 2_000

/** Input of `startMaru`. */
export interface StartOptions {
  config: Config
  /** Prints a line for the person who starts Maru. */
  say: (line: string) => void
  /** Runs after the migration and before the first administrator is created, for example to write the demo data. */
  prepare?: (database: OpenDatabase, services: Services) => Promise<void>
}

/** A started Maru that answers requests. */
export interface RunningMaru {
  /** URL of the portal on this machine. */
  url: string
  /** Resolves with the reason if the embedded database ends unexpectedly; undefined with DATABASE_URL. */
  databaseExited: Promise<string> | undefined
  /**
   * Reports not ready for `stop.leavingSeconds`, then refuses new calls with 503 and waits up to `stop.runningSeconds` for
   * running ones. Closes the database at the end.
   * @throws the first error, after everything was closed
   */
  stop(): Promise<void>
}

/** Maru with an open database, before it answers requests. */
interface OpenMaru {
  options: StartOptions
  logger: Logger
  /** The embedded PostgreSQL; undefined if DATABASE_URL names a server. */
  embedded: EmbeddedDatabase | undefined
  database: OpenDatabase
  /** Functions that close something at the end, the last one first. */
  closers: (() => Promise<unknown>)[]
}

/**
 * Starts the whole product on one port in this process: database, schema, first administrator, API and pages.
 * Closes everything if the start fails.
 * @throws {StartRefusal} for problems that the operator can fix, in one line
 */
export async function startMaru(options: StartOptions): Promise<RunningMaru> {
  const { config, say } = options
  const logger = createLog(config.logLevel)
  const closers: OpenMaru['closers'] = []
  try {
    if (config.databaseUrl === '' && config.databaseOwnerUrl !== '')
      throw new StartRefusal(
        'DATABASE_OWNER_URL requires DATABASE_URL with the application role of the same database. Set both, or remove DATABASE_OWNER_URL.',
      )
    const embedded = config.databaseUrl === '' ? await startEmbeddedDatabase(config, say) : undefined
    if (embedded)
      closers.push(async () => {
        await embedded.stop()
        await moveLastWal(config, logger)
      })
    const database = await open(config, embedded?.connection, logger)
    // A query that hangs would hold the close for as long as it is let run.
    closers.push(() => withTimeout(database.close(), CLOSE_MS, () => {}))
    const maru = { options, logger, embedded, database, closers }
    return await serve(maru, await prepare(maru))
  } catch (error) {
    // The operator has to know the first failure, not one of the clean-up.
    await closeAll(closers).catch((failure: unknown) => logger.error({ err: failure }, 'closing failed'))
    throw error
  }
}

/**
 * Prepares an opened Maru for calls: migrates the schema, creates the services, and checks the key secret. Encrypts and signs
 * again with the current key secret what a previous one encrypted or signed. Then it runs `options.prepare` and creates the
 * first administrator. Prints the administrator's password and all warnings.
 * @throws {StartRefusal} as its steps, for example if a running server has another storage or key secret
 */
async function prepare(maru: OpenMaru): Promise<Services> {
  const { options, database } = maru
  const { config, say } = options
  for (const line of database.advice) say(line)
  await migrateAsOwner(maru)
  await keepFirstUrl(database.pool, config)
  const services = await openServices(maru)
  await checkKeySecret(database.db, services.keySecret)
  await renewSignatures(config.dataDir, services.keySecret.logSeeds)
  const lost = await renewSealed(database.db, services.keySecret)
  if (lost > 0) say(lostFactors(lost))
  if ((await renewErasedIds(database.db, services.keySecret)) > 0) say(LOST_IDS)
  if ((await renewWebhookSecrets(database.db, services.keySecret)) > 0) say(LOST_WEBHOOKS)
  if (!(await renewMailPassword(database.db, services.keySecret))) say(LOST_MAIL_PASSWORD)
  for (const name of await renewClientSecrets(database.db, services.keySecret)) say(lostClientSecret(name))
  await checkServerCompatibility(database.pool, services)
  await options.prepare?.(database, services)
  // Printed at once: if this start fails later, the next one does not find an empty database.
  const admin = await createFirstAdmin(database.db, services)
  if (admin !== null) say(welcome(admin))
  const { smtpUrl } = services.settings.mailServer()
  const inForce = { ...config, secrets: { ...config.secrets, smtpUrl } }
  for (const line of startWarnings(inForce, await mayChangeTrail(database.db))) say(line)
  return services
}

/**
 * Creates the services, and closes them when Maru stops.
 * @throws {StartRefusal} as `createServices`
 */
async function openServices({ options, database, logger, closers }: OpenMaru): Promise<Services> {
  const services = await createServices({ ...options, database, logger })
  closers.push(() => withTimeout(services.accessLog.close(), CLOSE_MS, () => {}))
  closers.push(async () => services.mail.close())
  closers.push(() => services.jobs.stop())
  return services
}

/**
 * Registers this server, creates the app, listens, and starts the jobs.
 * @throws {StartRefusal} as `registerServer` and `listen`
 */
async function serve(
  { options: { config }, database, embedded, logger, closers }: OpenMaru,
  services: Services,
): Promise<RunningMaru> {
  const registration = await registerServer(database.pool, services)
  closers.push(() => withTimeout(registration.leave(), CLOSE_MS, () => {}))
  let [isLeaving, isDraining] = [false, false]
  const app = await createApp({
    database,
    services,
    logger,
    isLeaving: () => isLeaving,
    isDraining: () => isDraining,
  })
  const closeUnused = trackUnusedConnections(app.server)
  await listen(app, config)
  closers.push(async () => {
    closeUnused()
    await withTimeout(app.close(), config.stop.runningSeconds * 1000, () => {})
    app.server.closeAllConnections()
  })
  services.jobs.start([...listJobs(database, services, logger), registration.job])
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    databaseExited: embedded?.exited,
    async stop() {
      isLeaving = true
      // A load balancer polls the readiness every few seconds, and sends calls until it sees the change.
      await sleep(config.stop.leavingSeconds * 1000)
      isDraining = true
      await closeAll(closers)
    },
  }
}

/**
 * Runs all closers, the last one first, even if some fail.
 * @throws the first error, after all have run
 */
async function closeAll(closers: OpenMaru['closers']): Promise<void> {
  const failures: unknown[] = []
  // One that fails must not keep the rest open: a database of our own would outlive us.
  for (const step of closers.toReversed()) await step().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Returns the line that names the first administrator and, unless ADMIN_PASSWORD set it, the password. */
function welcome({ userId, password }: { userId: string; password: string | null }): string {
  return password === null
    ? `Sign in as ${userId} with the password from ADMIN_PASSWORD.`
    : `Sign in as ${userId} with the password ${password} (shown only now; you change it at the first login).`
}

/** Warning that the IDs of erased accounts can be taken again. */
const LOST_IDS =
  'WARNING: the key secret that protects the IDs of erased accounts is not there. Name it in KEY_SECRET_OLD; until then these IDs can be taken again.'

/** Warning that no mail is sent, because the password of the mail server cannot be decrypted. */
const LOST_MAIL_PASSWORD =
  'WARNING: the key secret that encrypts the password of the mail server is not there, so no mail is sent. Name it in KEY_SECRET_OLD, or enter the password again under 포털 설정.'

/** Warning that events of webhooks wait, because the secrets of webhooks cannot be decrypted. */
const LOST_WEBHOOKS =
  'WARNING: the key secret that encrypts the secrets of webhooks is not there, so their events wait. Name it in KEY_SECRET_OLD, or rotate the secrets under 웹훅.'

/** Returns the warning about an identity provider whose client secret cannot be decrypted. */
const lostClientSecret = (name: string) =>
  `WARNING: the key secret that encrypts the client secret of the identity provider ${name} is not there, so nobody logs in by it. Name it in KEY_SECRET_OLD, or enter the client secret again under 통합 로그인.`

/** Returns the warning about authenticator apps whose secret cannot be decrypted. */
function lostFactors(count: number): string {
  return `WARNING: the key secret that ${count} authenticator apps need is not there. Name it in KEY_SECRET_OLD; until then their codes are wrong, and recovery codes work.`
}

/**
 * Migrates on a separate connection without time limits, and grants the application role the privileges that calls
 * need.
 * @throws {StartRefusal} if DATABASE_OWNER_URL cannot be used, or names another database than DATABASE_URL
 */
async function migrateAsOwner({ options: { config }, database, embedded, logger }: OpenMaru): Promise<void> {
  const owner = await open(config, embedded?.owner, logger, NO_TIME_LIMIT, config.databaseOwnerUrl)
  try {
    if (config.databaseOwnerUrl !== '' && !(await isSameDatabase(owner.pool, database.pool)))
      throw new StartRefusal(
        'DATABASE_OWNER_URL names another database than DATABASE_URL. Correct it, or remove it.',
      )
    await migrate(owner.db, owner.role === database.role ? undefined : database.role)
  } finally {
    await owner.close()
  }
}

/**
 * Starts the embedded PostgreSQL, which archives its WAL if BACKUP_DIR is set. Upgrades its cluster first if it is of
 * an earlier version.
 */
async function startEmbeddedDatabase(config: Config, say: StartOptions['say']): Promise<EmbeddedDatabase> {
  await upgradeEmbedded(config, say)
  const { dataDir, backups } = config
  return startEmbedded({ dataDir, log: say, archive: backups.dir !== '', restarts: true })
}

/**
 * Moves the WAL that the database left when it ended into the backup folder, so that this contains everything up to the
 * last change. Does nothing without BACKUP_DIR or a cluster. A failure is only logged.
 */
async function moveLastWal({ dataDir, backups }: Config, logger: Logger): Promise<void> {
  const systemId = systemIdOf(dataDir)
  if (backups.dir === '' || systemId === undefined) return
  const walFolder = walFolderOf(backups.dir, systemId)
  await moveWal(dataDir, walFolder, backups.recipients).catch((error: unknown) =>
    logger.warn({ err: error }, 'WAL segments could not be moved to the backups; the next start retries'),
  )
}

/**
 * Opens the database. A connection that breaks later is logged.
 * @param embedded connection to the embedded database; undefined for DATABASE_URL, or `ownerUrl` if that is not empty
 * @throws {StartRefusal} if an external database cannot be used
 */
async function open(
  config: Config,
  embedded: object | undefined,
  logger: Logger,
  more: pg.PoolConfig = {},
  ownerUrl = '',
): Promise<OpenDatabase> {
  try {
    return await openDatabase(
      {
        ...(embedded ?? { connectionString: ownerUrl || config.databaseUrl }),
        ...more,
      },
      (error) => logger.warn({ err: error }, CONNECTION_LOST),
    )
  } catch (error) {
    if (embedded || error instanceof StartRefusal) throw error
    throw new StartRefusal(
      `${ownerUrl === '' ? 'DATABASE_URL' : 'DATABASE_OWNER_URL'}: the database cannot be used (${messageOf(error)}). Check that it runs and that user, password and name are correct.`,
      { cause: error },
    )
  }
}
