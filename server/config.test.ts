import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { DEMO_DEFAULTS, readConfig, VARIABLES } from './config.ts'
import { StartRefusal } from './startup-error.ts'

const exportOf = (env: Record<string, string>) => readConfig({ DATA_DIR: '/data', ...env }).logExport

describe('the configuration (rules/running#configuration)', () => {
  test('needs nothing', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 3000,
      databaseUrl: '',
      trustProxy: false,
      envelope: { key: 'maru-portal-envelope-aes256-key!', iv: 'maru-portal-iv16' },
      admin: { userId: 'admin' },
      session: { absoluteSeconds: 12 * 3600 },
      fixedSecurity: {},
    })
    expect(isAbsolute(readConfig({}).dataDir)).toBe(true)
    expect(readConfig({}).dataDir).toMatch(/[\\/]data$/)
  })

  test('gives the demo its own folder and listens on localhost, unless configured (rules/running#demo)', () => {
    for (const env of [{}, { HOST: '' }]) {
      const { host, dataDir } = readConfig(env, DEMO_DEFAULTS)
      expect(host).toBe('127.0.0.1')
      expect(dataDir).toMatch(/[\\/]demo$/)
    }
    expect(readConfig({ HOST: '0.0.0.0' }, DEMO_DEFAULTS).host).toBe('0.0.0.0')
    expect(readConfig({}).host).toBe('0.0.0.0')
  })

  test('takes an empty variable as not set, like a blank in .env', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', ENVELOPE_KEY: '', ADMIN_ID: '' })).toEqual(readConfig({}))
  })

  test('never repeats a private key that was set as BACKUP_RECIPIENT (rules/running#encrypted-backup)', () => {
    expect(() => readConfig({ BACKUP_RECIPIENT: 'AGE-SECRET-KEY-1QQQ' })).toThrow(
      /^BACKUP_RECIPIENT must be public keys of age with commas between, each like age1… \(never a private key\)\. Correct it/,
    )
  })

  test('ignores variables of other programs', () => {
    expect(readConfig({ PATH: '/bin', npm_config_x: '1' })).toEqual(readConfig({}))
  })

  test.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['PORT', ' '],
    ['PORT', '0x1F'],
    ['DATABASE_URL', 'mysql://localhost/maru'],
    ['DATABASE_URL', 'localhost:5432'],
    ['ACCESS_LOG_COPY_URL', 'https://example.com/copies'],
    ['ACCESS_LOG_COPY_URL', `file://${process.cwd()}/data/access-log/copies`],
    ['BACKUP_RECIPIENT', 'age1abc'],
    ['BACKUP_RECIPIENT', 'operator@company.kr'],
    ['CALL_LIMIT_PERCENT', '-1'],
    ['FILE_TYPES_ALLOWED', 'pdf;exe'],
    ['FILE_TYPES_REFUSED', '*.exe'],
    ['SCAN_SECONDS', '0'],
    ['QUARANTINE_DAYS', 'x'],
    ['TRUST_PROXY', 'yes'],
    ['SECURITY_CONTACT', 'security@company.kr'],
    ['SECURITY_CONTACT', 'mailto:a@b\nExpires: never'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '10'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', '10.0.0.1,proxy.example'],
    ['SESSION_IDLE_MINUTES', '0'],
    ['SUSPEND_AFTER_DAYS', '29'],
    ['SUSPEND_AFTER_DAYS', '-1'],
    ['SUSPEND_AFTER_DAYS', 'never'],
    ['SESSION_ABSOLUTE_HOURS', '1000'],
    ['ENVELOPE_KEY', 'too short'],
    ['ENVELOPE_KEY', '마루-portal-envelope-aes256-key!!'],
    ['ENVELOPE_IV', 'seventeen letters'],
    ['ADMIN_ID', 'Ad'],
    ['ADMIN_ID', '관리자'],
    ['ADMIN_EMAIL', 'no address'],
    ['LOG_LEVEL', 'loud'],
  ])('stops the start for %s=%j with one line that names it', (name, value) => {
    const refused = () => readConfig({ [name]: value })
    expect(refused).toThrow(StartRefusal)
    expect(refused).toThrow(new RegExp(`^${name} [^\n]+$`))
  })

  test.each([
    ['false', false],
    ['1', 1],
    ['9', 9],
    ['loopback', 'loopback'],
    ['10.0.0.1', '10.0.0.1'],
    ['10.0.0.0/8, ::1/128', '10.0.0.0/8, ::1/128'],
  ])('turns TRUST_PROXY=%s into %j for Fastify', (text, trustProxy) => {
    expect(readConfig({ TRUST_PROXY: text }).trustProxy).toBe(trustProxy)
  })

  test('keeps everything secret under secrets', () => {
    const { secrets, ...rest } = readConfig({
      ADMIN_PASSWORD: 'a-secret-1!',
      METRICS_TOKEN: 'another-secret',
    })
    expect(secrets).toEqual({
      adminPassword: 'a-secret-1!',
      metricsToken: 'another-secret',
      smtpUrl: '',
      keySecret: '',
      formerKeySecrets: [],
      storage: undefined,
      accessLogCopy: undefined,
    })
    expect(JSON.stringify(rest)).not.toContain('secret')
  })

  test('lowers the ID of the first administrator like every ID', () => {
    expect(readConfig({ ADMIN_ID: ' Boss.Kim ' }).admin.userId).toBe('boss.kim')
  })

  test('lowers the e-mail of the first administrator like every e-mail', () => {
    expect(readConfig({ ADMIN_EMAIL: 'Boss@Example.COM' }).admin.email).toBe('boss@example.com')
  })
})

describe('mail settings (rules/running#smtp)', () => {
  test.each([
    'smtp://mail.example.com',
    'smtp://maru:p%40ss@mail.example.com:587',
    'smtps://maru:secret@mail.example.com:465/',
    'smtp://127.0.0.1:2525',
    'smtp://[::1]:2525',
  ])('accept SMTP_URL %s', (SMTP_URL) => {
    expect(readConfig({ SMTP_URL }).secrets.smtpUrl).toBe(SMTP_URL)
  })

  test('turn the mail server of the portal off (rules/settings#mail-server)', () => {
    const { given, secrets } = readConfig({ SMTP_URL: 'off' })
    expect([given.has('SMTP_URL'), secrets.smtpUrl]).toEqual([true, ''])
  })

  test.each([
    'mail.example.com',
    'http://mail.example.com',
    'smtp://',
    'smtp://mail.example.com:99999',
    'smtp://mail.example.com:0',
    'smtp://maru:p@ss:w/ord@mail.example.com',
    'smtp://maru:50%@mail.example.com',
    'smtp://maru@mail.example.com',
    'smtp://:secret@mail.example.com',
    'smtp://mail.example.com/inbox',
    'smtp://mail.example.com?tls.rejectUnauthorized=false',
    'smtp://mail.example.com#x',
  ])('stop the start for SMTP_URL %s without repeating a password', (SMTP_URL) => {
    expect(() => readConfig({ SMTP_URL })).toThrow(/^SMTP_URL must look like smtp:/)
  })

  test.each(['no-reply@example.com', '마루 <no-reply@example.com>', 'Maru Inc. <a@b.example>'])(
    'accept MAIL_FROM %s',
    (MAIL_FROM) => {
      expect(readConfig({ MAIL_FROM }).mail.from).toBe(MAIL_FROM)
    },
  )

  test.each([
    'Maru',
    '@',
    'Maru <>',
    'a@b.example, c@d.example',
    'Maru <a@b.example>, <c@d.example>',
    'Maru <a@b.example>\r\nBcc: spy@example.com',
    'Maru\n<a@b.example>',
  ])('stop the start for MAIL_FROM %j', (MAIL_FROM) => {
    expect(() => readConfig({ MAIL_FROM })).toThrow(/^MAIL_FROM must be one address/)
  })

  test('read the receiver of LOG_SYSLOG_URL, and the days of LOG_FILE_DAYS', () => {
    const none = { receiver: null, folder: '/data/export', fileDays: 0 }
    expect(exportOf({})).toEqual(none)
    expect(exportOf({ LOG_SYSLOG_URL: 'tls://siem.company.kr:6514', LOG_FILE_DAYS: '30' })).toEqual({
      ...none,
      receiver: { isTls: true, host: 'siem.company.kr', port: 6514 },
      fileDays: 30,
    })
    expect(exportOf({ LOG_SYSLOG_URL: 'tcp://[fd00::1]:601' }).receiver).toEqual({
      isTls: false,
      host: 'fd00::1',
      port: 601,
    })
  })

  test.each([
    'siem:6514',
    'udp://siem:514',
    'tls://siem',
    'tls://user@siem:6514',
    'tls://siem:6514/x',
    'tls://siem:0',
    'tls://siem:65536',
  ])('stop the start for LOG_SYSLOG_URL %s', (LOG_SYSLOG_URL) => {
    expect(() => readConfig({ LOG_SYSLOG_URL })).toThrow(/^LOG_SYSLOG_URL must look like tls:/)
  })
})

describe('.env.example (rules/running#configuration)', () => {
  const lines = readFileSync(new URL('../.env.example', import.meta.url), 'utf8').split('\n')
  const example = parseEnv(lines.map((line) => line.replace(/^# (?=[A-Z_]+=)/, '')).join('\n'))

  test('lists exactly the variables that exist', () => {
    expect(Object.keys(example).toSorted()).toEqual(VARIABLES.toSorted())
  })

  test('shows the default of each variable that has one', () => {
    const { DATABASE_URL, DATABASE_OWNER_URL, ...others } = example
    const { STORAGE_URL, SMTP_URL, PORTAL_URL, ...defaults } = others
    // Which of them were set is the only difference.
    const { given } = readConfig({})
    expect({ ...readConfig(defaults), given }).toEqual(readConfig({}))
    const databases = { DATABASE_URL, DATABASE_OWNER_URL }
    expect(readConfig({ ...databases, STORAGE_URL, SMTP_URL, PORTAL_URL })).toMatchObject({
      port: 3000,
    })
  })
})
