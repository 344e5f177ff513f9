import type { PolicyTexts } from '../ko/policy.ts'

const backup = (at: string, tested: string) =>
  at === ''
    ? 'No backup yet'
    : `Last backup ${at.slice(0, 16)} · ${tested === '' ? 'never restored for a test' : `restore test ${tested.slice(0, 16)}`}`

const waiting = (due: string, what: string, signed: string) =>
  `${due === '0' ? 'None overdue' : `${due} ${what} to do`} · ${signed === '' ? 'none signed off yet' : `last signed off ${signed}`}`

/** Texts of the policy page. They load with it. */
export const policy: PolicyTexts = {
  lead: 'Compares the settings that data protection rules require with the current values. Values are read from the actual settings.',
  basis:
    '“Standard” is the Korean standard of measures to keep personal data safe (개인정보의 안전성 확보조치 기준, notice of 2023), “ISMS-P” an item of that certification. Article numbers follow public commentaries, so compare them with the notice in force. If a rule gives no number, a value within the defaults of Maru counts as compliant.',
  loading: 'Loading the policy.',
  failed: 'The policy could not be loaded.',
  print: 'Print',
  list: 'Required settings',
  empty: 'There is nothing to check.',
  summary: (met, all) => `${met} of ${all} requirements are met.`,
  columns: {
    name: 'Requirement',
    value: 'Current value',
    standing: 'Status',
    rule: 'Rule',
    where: 'Where to change',
  },
  standings: { MET: 'Met', UNMET: 'Needs attention', UNKNOWN: 'Unknown' },
  variable: (name) => `Environment variable ${name}`,
  fixed: 'Cannot be changed',
  report: {
    title: 'Data protection policy',
    portal: 'Portal',
    version: 'Version of Maru',
    madeAt: 'Created at',
    result: 'Result',
    signature: 'Approved by',
  },
  requirements: {
    passwordLook: {
      name: 'Password format',
      value: (min, long) => `${min} characters or more of 3 kinds (2 kinds from ${long} on)`,
      rule: 'Standard §5 · ISMS-P 2.5.4 · KISA’s guide to passwords',
    },
    passwordHash: {
      name: 'Passwords are hashed',
      value: (memory, passes) => `argon2id (${memory} MiB, ${passes} passes), tokens SHA-256`,
      rule: 'Standard §7 · ISMS-P 2.7.1',
    },
    loginLock: {
      name: 'Lock after failed logins',
      value: (tries, minutes) => `${minutes} minutes after ${tries} failures`,
      rule: 'Standard §5 (limit after failed authentication) · ISMS-P 2.5.3',
    },
    secondFactor: {
      name: 'Second factor of administrators',
      value: (having, all) => `${having} of ${all} administrators have one`,
      rule: 'Standard §6 (safe authentication from outside) · ISMS-P 2.5.3',
    },
    factorRequired: {
      name: 'Second factor required',
      value: (required, all, days) =>
        `Required for ${required} of ${all} administrative roles · ${days} days of grace`,
      rule: 'Standard §6 (safe means from outside) · ISMS-P 2.5.3 (stronger authentication)',
    },
    sessionIdle: {
      name: 'Logout when idle',
      value: (minutes) => `${minutes} minutes`,
      rule: 'Standard §6 (automatic end, no number) · ISMS-P 2.6.3',
    },
    sessionEnd: {
      name: 'Longest session',
      value: (hours) => `${hours} hours`,
      rule: 'ISMS-P 2.6.3 (no number)',
    },
    sessionLimit: {
      name: 'Concurrent sessions',
      value: (count) => (count === '0' ? 'No limit' : `${count} per person`),
      rule: 'ISMS-P 2.6.3 (concurrent sessions)',
    },
    sessionBinding: {
      name: 'Sessions bound to where they began',
      value: (binding) =>
        ({ network: 'Network of the login (IPv4 /24, IPv6 /64)', exact: 'IP address of the login' })[
          binding
        ] ?? 'Not bound',
      rule: 'Standard §6 (limit by IP address) · ISMS-P 2.6.3 (one way to protect sessions, not mandatory)',
    },
    confirmation: {
      name: 'Reauthentication before sensitive actions',
      value: (minutes) =>
        `From ${minutes} minutes after the login or the last confirmation: the password, or the second factor if the user has one`,
      rule: 'ISMS-P 2.5.3 (stronger authentication where needed) · OWASP ASVS 5.0 7.5.3',
    },
    adminNetworks: {
      name: 'Addresses of administrators',
      value: (count) => (count === '0' ? 'From anywhere' : `${count} allowed`),
      rule: 'Standard §6 (limit by IP address) · ISMS-P 2.6.2',
    },
    disuse: {
      name: 'Suspension of inactive accounts',
      value: (days) => (days === '0' ? 'Never' : `After ${days} days`),
      rule: 'ISMS-P 2.5.1, 2.5.6 (no number)',
    },
    rightsAtOnce: {
      name: 'Changed permissions take effect',
      value: () => 'Immediately, from the next call on',
      rule: 'Standard §5 (without delay) · ISMS-P 2.5.1',
    },
    rightsRecords: {
      name: 'Retention of permission changes',
      value: (months) => `${months} months`,
      rule: 'Standard §5 (3 years at least) · ISMS-P 2.5.1',
    },
    rightsReview: {
      name: 'Quarterly access review',
      value: (due, signed) => waiting(due, 'quarters', signed),
      rule: 'ISMS-P 2.5.6 (regular review)',
    },
    accessLog: {
      name: 'Retention of the access log',
      value: (months) => `${months} months, then in files`,
      rule: 'Standard §8 (1 year; 2 for 50,000 people or unique or sensitive data) · ISMS-P 2.9.4',
    },
    inspection: {
      name: 'Monthly inspection of the access log',
      value: (due, signed) => waiting(due, 'months', signed),
      rule: 'Standard §8 (once a month) · ISMS-P 2.9.5',
    },
    trailGuard: {
      name: 'Tamper protection of records',
      value: () => 'Append-only audit log, hash-chained access log',
      rule: 'Standard §8 (forgery, theft, loss) · ISMS-P 2.9.4',
    },
    portalTls: {
      name: 'Portal by TLS',
      value: (address) => address || 'Address not set',
      rule: 'Standard §7 (encryption when sent) · ISMS-P 2.7.1',
    },
    mailTls: {
      name: 'Mail by TLS',
      value: (host) => host || 'No mail server',
      rule: 'Standard §7 (encryption when sent) · ISMS-P 2.7.1',
    },
    databaseTls: {
      name: 'Database by TLS',
      value: (kind) => (kind === 'own' ? 'Within this server' : 'External database'),
      rule: 'Standard §7 (encryption when sent) · ISMS-P 2.7.1',
    },
    backups: { name: 'Tested backups', value: backup, rule: 'Standard §11 · ISMS-P 2.9.3' },
    jobs: { name: 'Scheduled jobs', value: () => 'Jobs that run automatically', rule: 'ISMS-P 2.9.2' },
    clock: { name: 'Clock', value: () => 'Clocks of the server and the database', rule: 'ISMS-P 2.9.6' },
    erasing: {
      name: 'Expired data is erased',
      value: (days) => `${days} days after a withdrawal`,
      rule: 'Personal Information Protection Act §21 · Standard §13 · ISMS-P 3.4.1',
    },
  },
}
