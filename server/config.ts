import { join, resolve, sep } from 'node:path'
import * as z from 'zod/mini'
import { DEFAULT_ENVELOPE } from '../contract/envelope.ts'
import { type FileTypes } from '../contract/file-types.ts'
import { userId } from '../contract/fields.ts'
import { isSender, portalUrl } from '../contract/settings.ts'
import type { SecuritySettings } from '../contract/settings/security.ts'
import {
  ascii,
  fileTypes,
  formerSecrets,
  hosts,
  isSmtpUrl,
  keySecret,
  postgresUrl,
  recipients,
  storageUrl,
  syslogUrl,
  timesOfDay,
  trustProxy,
  wholeNumber,
} from './config-values.ts'
import { StartRefusal } from './startup-error.ts'
import { readStorageUrl, type StoragePlace, type StorageSecret } from './services/storage/url.ts'
import type { SyslogReceiver } from './services/syslog.ts'

/** All settings of a deployment, checked. Only `secrets` holds values that must stay secret. */
export interface Config {
  /** True if NODE_ENV is `production`. */
  production: boolean
  port: number
  host: string
  /** Absolute path. */
  dataDir: string
  /** Empty to run the embedded PostgreSQL under dataDir. */
  databaseUrl: string
  /** URL of the same database for the owner role, which changes the schema. Empty: the application role changes it. */
  databaseOwnerUrl: string
  /** Location of attached files; by default below dataDir. */
  storage: StoragePlace
  /** Types of files that may be attached. */
  fileTypes: FileTypes
  /** Program that scans files for malware, and its arguments. Empty: files are not scanned. */
  scan: { command: readonly string[]; seconds: number; quarantineDays: number }
  /** Scheduled backups: folder (empty: none), times, and keys. */
  backups: {
    dir: string
    at: readonly string[]
    /** Public keys of age that every backup is encrypted for; empty for no encryption. */
    recipients: readonly string[]
    /** File of the private keys that decrypt backups; empty for none. */
    identityFile: string
  }
  /**
   * Seconds of a stop: how long calls are still answered while readiness fails, then how long running calls and uploads may take.
   */
  stop: { leavingSeconds: number; runningSeconds: number }
  /** Proxies whose X-Forwarded-For header is trusted: false for none, their addresses, or their number in a row. */
  trustProxy: false | string | number
  /** Hosts that requests to other servers may reach by http and at any address (rules/running#outbound-requests). */
  outboundHosts: readonly string[]
  /** False to turn off single sign-on (rules/sso#off). */
  sso: boolean
  /** Number of calls that each user may make, in percent of the defaults; 0 for no limit. */
  callLimitPercent: number
  /** Time from the login after which a session ends. */
  session: { absoluteSeconds: number }
  /** Security settings that environment variables fix, only those that are set (rules/settings#security-variables). */
  fixedSecurity: Partial<SecuritySettings>
  /** Second place of the signed heads of the access log; null for none. */
  accessLogCopy: StoragePlace | null
  /** Destinations of both logs: a receiver of syslog, null for none; folder of daily files and the days that they are kept, 0 for no files. */
  logExport: { receiver: SyslogReceiver | null; folder: string; fileDays: number }
  /** URL at which users open the portal, for links in mails; empty if it is not set here. */
  portalUrl: string
  /**
   * Names of the environment variables that are set and not empty, including removed ones, but not defaults. They have
   * priority over the settings of the portal (rules/settings#variables).
   */
  given: ReadonlySet<string>
  /** Seconds for which browsers that used HTTPS insist on it; undefined to send no such header. */
  hstsSeconds: number | undefined
  /** URL where people report a vulnerability of the portal; empty to show none. */
  securityContact: string
  /** Key (32 ASCII bytes) and IV (16) of the envelope. */
  envelope: { key: string; iv: string }
  /** Login ID and email address of the first administrator. */
  admin: { userId: string; email: string }
  /** Sender of mails, e.g. '마루 <no-reply@example.com>'. */
  mail: { from: string }
  /** Lowest level of log lines that are written (LOG_LEVEL). */
  logLevel: string
  secrets: {
    /** Password of the first administrator; empty to generate one. */
    adminPassword: string
    /** Empty: the portal's settings name the mail server, or mails are written to files in the outbox. */
    smtpUrl: string
    /** Empty to use that of DATA_DIR. */
    keySecret: string
    /** Previous key secrets, whose keys are still valid. */
    formerKeySecrets: readonly string[]
    storage: StorageSecret
    accessLogCopy: StorageSecret
    /** Bearer token of /metrics; empty for none. */
    metricsToken: string
  }
}

/**
 * Email address of the first administrator until they enter their own, unless ADMIN_EMAIL is set. It receives no mail.
 */
export const DEFAULT_ADMIN_EMAIL = 'admin@maru.example'

/** Schema of the environment variables, with their defaults. `readConfig` reads it, and ignores other variables. */
const environment = z.object({
  NODE_ENV: z._default(z.string(), 'development'),
  PORT: z._default(wholeNumber(0, 65_535), 3000),
  HOST: z._default(z.string(), '0.0.0.0'),
  DATA_DIR: z._default(z.string(), './data'),
  DATABASE_URL: z._default(postgresUrl, ''),
  DATABASE_OWNER_URL: z._default(postgresUrl, ''),
  STORAGE_URL: storageUrl,
  ACCESS_LOG_COPY_URL: storageUrl,
  FILE_TYPES_ALLOWED: fileTypes,
  FILE_TYPES_REFUSED: fileTypes,
  SCAN_COMMAND: z._default(z.string(), ''),
  SCAN_SECONDS: z._default(wholeNumber(1, 3600), 50),
  QUARANTINE_DAYS: z._default(wholeNumber(1, 365), 30),
  BACKUP_DIR: z._default(z.string(), ''),
  BACKUP_AT: timesOfDay(['03:00']),
  BACKUP_KEEP: z.optional(wholeNumber(1, 1000)),
  BACKUP_TEST_DAYS: z.optional(wholeNumber(0, 365)),
  BACKUP_RECIPIENT: recipients,
  BACKUP_IDENTITY_FILE: z._default(z.string(), ''),
  STOP_READY_SECONDS: z._default(wholeNumber(0, 300), 0),
  STOP_SECONDS: z._default(wholeNumber(1, 3600), 10),
  TRUST_PROXY: trustProxy,
  OUTBOUND_ALLOW: hosts,
  SSO: z._default(z.enum(['on', 'off'], 'must be on or off'), 'on'),
  CALL_LIMIT_PERCENT: z._default(wholeNumber(0, 10_000), 100),
  SESSION_IDLE_MINUTES: z.optional(wholeNumber(5, 1440)),
  SESSION_ABSOLUTE_HOURS: z._default(wholeNumber(1, 168), 12),
  SUSPEND_AFTER_DAYS: z.optional(
    z.pipe(
      z.string().check(z.regex(/^(0|[3-9]\d|[1-9]\d{2,3})$/, 'must be 0 (never) or 30 to 9999 days')),
      z.transform(Number),
    ),
  ),
  ACCESS_LOG_MONTHS: z.optional(wholeNumber(12, 120)),
  LOG_SYSLOG_URL: syslogUrl,
  LOG_FILE_DAYS: z._default(wholeNumber(0, 3650), 0),
  PORTAL_URL: z._default(
    z
      .string()
      .check(
        z.refine((text) => portalUrl.safeParse(text).success, 'must look like https://portal.company.kr'),
      ),
    '',
  ),
  HSTS_SECONDS: z.optional(wholeNumber(0, 63_072_000)),
  SECURITY_CONTACT: z._default(
    z
      .string()
      .check(
        z.regex(
          /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)?$/,
          'must look like mailto:security@company.kr or https://company.kr/security',
        ),
      ),
    '',
  ),
  ENVELOPE_KEY: z._default(ascii(32), DEFAULT_ENVELOPE.key),
  ENVELOPE_IV: z._default(ascii(16), DEFAULT_ENVELOPE.iv),
  ADMIN_ID: z._default(
    z.string().check(
      z.trim(),
      z.toLowerCase(),
      z.refine((text) => userId.safeParse(text).success, 'must be 4 to 20 of a-z 0-9 . _ -'),
    ),
    'admin',
  ),
  ADMIN_EMAIL: z._default(
    z.string().check(z.toLowerCase(), z.regex(z.regexes.email, 'must be an e-mail address')),
    DEFAULT_ADMIN_EMAIL,
  ),
  ADMIN_PASSWORD: z._default(z.string(), ''),
  SMTP_URL: z._default(
    z
      .string()
      .check(
        z.refine(
          (text) => text === 'off' || isSmtpUrl(text),
          'must look like smtp://user:password@host:587 or smtps://user:password@host:465 (write @ : / ? # % of a password as %40 %3A %2F %3F %23 %25)',
        ),
      ),
    '',
  ),
  MAIL_FROM: z._default(
    z.string().check(z.refine(isSender, 'must be one address such as Maru <no-reply@example.com>')),
    '마루 <no-reply@maru.example>',
  ),
  KEY_SECRET: keySecret,
  KEY_SECRET_OLD: formerSecrets,
  METRICS_TOKEN: z._default(z.string(), ''),
  /** Read by Node.js, or by `readEnvFile` if it is in .env. */
  NODE_EXTRA_CA_CERTS: z._default(z.string(), ''),
  LOG_LEVEL: z._default(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a log level of pino'),
    'info',
  ),
})

/** Names of the environment variables that a deployment can set. Each is listed in .env.example. */
export const VARIABLES = Object.keys(environment.shape)

/**
 * Variables of earlier versions, and what to do instead (design/several-copies#failover). A start with one prints a
 * warning.
 */
export const REMOVED_VARIABLES: Readonly<Record<string, string>> = {
  WORKERS: 'To use more cores, run several copies behind a proxy (docs/scaling.md).',
  DATABASE_READ_URL: 'Every call reads the database in DATABASE_URL.',
  ...Object.fromEntries(
    ['COMPANY_NAME', 'COMPANY_NAME_EN', 'LOGO_TEXT', 'LOGO_TEXT_EN', 'OFFICES', 'OFFICES_EN'].map((name) => [
      name,
      'Administrators set company, logo and offices in the portal (/setting/manage).',
    ]),
  ),
}

/**
 * Defaults of `npm run demo`. It uses a folder of its own, because demo data and real data must not mix, and an address that only
 * this machine can reach, because its passwords are public (rules/running#demo).
 */
export const DEMO_DEFAULTS = { DATA_DIR: './data/demo', HOST: '127.0.0.1' }

/**
 * Parses the environment into a checked configuration (rules/running#configuration). An empty variable counts as not set.
 * @param defaults values of variables that the environment does not set
 * @throws {StartRefusal} naming the first invalid variable in one line; also for KEY_SECRET_OLD without KEY_SECRET, and for an
 * ACCESS_LOG_COPY_URL below DATA_DIR
 */
export function readConfig(
  env: Record<string, string | undefined>,
  defaults: Record<string, string> = {},
): Config {
  // An empty variable counts as not set, as in a .env file with blanks to fill in.
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = environment.safeParse({ ...defaults, ...given })
  if (!result.success) {
    const [issue] = result.error.issues
    throw new StartRefusal(
      `${String(issue?.path[0])} ${issue?.message}. Correct it in the environment or in .env and start again.`,
    )
  }
  const set = result.data
  if (set.KEY_SECRET === '' && set.KEY_SECRET_OLD.length > 0)
    throw new StartRefusal(
      'KEY_SECRET_OLD requires KEY_SECRET with the current secret. Without KEY_SECRET, write previous secrets below the first line of DATA_DIR/key-secret.',
    )
  const dataDir = resolve(set.DATA_DIR)
  const storage = readStorageUrl(set.STORAGE_URL, dataDir)
  if (storage === null) throw new Error('STORAGE_URL passed its check but cannot be read')
  const copy = set.ACCESS_LOG_COPY_URL === '' ? null : readStorageUrl(set.ACCESS_LOG_COPY_URL, dataDir)
  if (copy?.place.kind === 'disk' && `${copy.place.root}${sep}`.startsWith(`${dataDir}${sep}`))
    throw new StartRefusal(
      'ACCESS_LOG_COPY_URL must name a folder outside DATA_DIR, or a bucket. Correct it in the environment or in .env and start again.',
    )
  return {
    production: set.NODE_ENV === 'production',
    port: set.PORT,
    host: set.HOST,
    dataDir,
    databaseUrl: set.DATABASE_URL,
    databaseOwnerUrl: set.DATABASE_OWNER_URL,
    storage: storage.place,
    fileTypes: { allowed: set.FILE_TYPES_ALLOWED, refused: set.FILE_TYPES_REFUSED },
    scan: {
      command: set.SCAN_COMMAND.split(/\s+/).filter((word) => word !== ''),
      seconds: set.SCAN_SECONDS,
      quarantineDays: set.QUARANTINE_DAYS,
    },
    backups: {
      dir: set.BACKUP_DIR === '' ? '' : resolve(set.BACKUP_DIR),
      at: set.BACKUP_AT,
      recipients: set.BACKUP_RECIPIENT,
      identityFile: set.BACKUP_IDENTITY_FILE === '' ? '' : resolve(set.BACKUP_IDENTITY_FILE),
    },
    stop: { leavingSeconds: set.STOP_READY_SECONDS, runningSeconds: set.STOP_SECONDS },
    trustProxy: set.TRUST_PROXY,
    outboundHosts: set.OUTBOUND_ALLOW,
    sso: set.SSO === 'on',
    callLimitPercent: set.CALL_LIMIT_PERCENT,
    session: { absoluteSeconds: set.SESSION_ABSOLUTE_HOURS * 3600 },
    fixedSecurity: {
      ...(set.SESSION_IDLE_MINUTES !== undefined && { sessionIdleMinutes: set.SESSION_IDLE_MINUTES }),
      ...(set.SUSPEND_AFTER_DAYS !== undefined && { suspendAfterDays: set.SUSPEND_AFTER_DAYS }),
      ...(set.ACCESS_LOG_MONTHS !== undefined && { accessLogMonths: set.ACCESS_LOG_MONTHS }),
      ...(set.BACKUP_KEEP !== undefined && { backupKeep: set.BACKUP_KEEP }),
      ...(set.BACKUP_TEST_DAYS !== undefined && { backupTestDays: set.BACKUP_TEST_DAYS }),
    },
    accessLogCopy: copy?.place ?? null,
    logExport: { receiver: set.LOG_SYSLOG_URL, folder: join(dataDir, 'export'), fileDays: set.LOG_FILE_DAYS },
    portalUrl: portalUrl.parse(set.PORTAL_URL),
    given: new Set(
      Object.keys(given).filter((name) => VARIABLES.includes(name) || name in REMOVED_VARIABLES),
    ),
    hstsSeconds: set.HSTS_SECONDS,
    securityContact: set.SECURITY_CONTACT,
    envelope: { key: set.ENVELOPE_KEY, iv: set.ENVELOPE_IV },
    admin: { userId: set.ADMIN_ID, email: set.ADMIN_EMAIL },
    mail: { from: set.MAIL_FROM },
    logLevel: set.LOG_LEVEL,
    secrets: {
      adminPassword: set.ADMIN_PASSWORD,
      // 'off' overrides a mail server of the portal's settings.
      smtpUrl: set.SMTP_URL === 'off' ? '' : set.SMTP_URL,
      keySecret: set.KEY_SECRET,
      formerKeySecrets: set.KEY_SECRET_OLD,
      storage: storage.secret,
      accessLogCopy: copy?.secret,
      metricsToken: set.METRICS_TOKEN,
    },
  }
}
