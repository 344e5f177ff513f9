import type { PolicyTexts } from '../ko/policy.ts'

const backup = (at: string, tested: string) =>
  at === ''
    ? 'No backup yet'
    : `Last backup ${at.slice(0, 16)} · ${tested === '' ? 'never restored for a test' : `restore test ${tested.slice(0, 16)}`}`

const waiting = (due: string, what: string, missed: string, signed: string) =>
  [
    due === '0' ? 'None overdue' : `${due} ${what} to do`,
    ...(missed === '0' ? [] : [`${missed} ${what} missed`]),
    signed === '' ? 'none signed off yet' : `last signed off ${signed}`,
  ].join(' · ')

/** Texts of the policy page. They load with it. */
export const policy: PolicyTexts = {
  lead: 'Compares the settings that data protection rules require with the current values. Values are read from the actual settings.',
  basis:
    'Sources come from the register of laws below. If a rule gives no number, a value within the defaults of Maru counts as compliant. Values that the portal cannot see are “Unknown”.',
  loading: 'Loading the policy.',
  failed: 'The policy could not be loaded.',
  print: 'Print',
  list: 'Required settings',
  empty: 'There is nothing to check.',
  summary: (met, all) =>
    `${met} of ${all} requirements are met. Only settings and records of the portal are checked; this does not guarantee compliance.`,
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
  laws: {
    title: 'Register of laws',
    lead: 'The duties that concern the portal, and their sources. Each entry has the day of its last check. Entries whose cited edition was not seen are marked “Not verified”. Before an audit, compare them with the text in force.',
    list: 'Entries of the register',
    columns: {
      duty: 'Duty',
      source: 'Source',
      kind: 'Kind',
      dates: 'In force, checked',
      met: 'Met by',
      company: 'Basis and remark of the company',
    },
    edit: 'Edit',
    editOf: (duty) => `Edit basis and remark: ${duty}`,
    editTitle: 'Basis and remark of the company',
    save: 'Save',
    saved: 'The basis and remark were saved.',
    kinds: {
      duty: 'Duty',
      criterion: 'Criterion',
      practice: 'Good practice',
      outside: 'Outside the product',
    },
    inForce: (day) => (day === '' ? 'In force since: not verified' : `In force since ${day}`),
    verified: (day) => `Verified ${day}`,
    unverified: 'Not verified',
    earlier: 'only an earlier edition was seen',
    outside: 'The portal does not meet this. The company has to.',
    builtIn: 'Built into the portal',
    unverifiedCount: (count, all) => `The cited edition of ${count} of ${all} entries was not seen.`,
  },
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
    },
    passwordHash: {
      name: 'Passwords are hashed',
      value: (memory, passes) => `argon2id (${memory} MiB, ${passes} passes), tokens SHA-256`,
    },
    loginLock: {
      name: 'Lock after failed logins',
      value: (tries, minutes) => `${minutes} minutes after ${tries} failures`,
    },
    secondFactor: {
      name: 'Second factors in use',
      value: (having, all, admins, allAdmins) =>
        `${having} of ${all} users who may log in have one (${admins} of ${allAdmins} administrators)`,
    },
    factorRequired: {
      name: 'Second factor required',
      value: (required, all, days, everyRequired, every) =>
        `Required for ${everyRequired} of ${every} roles (${required} of ${all} administrative ones) · ${days} days of grace`,
    },
    sessionIdle: {
      name: 'Logout when idle',
      value: (minutes) => `${minutes} minutes`,
    },
    sessionEnd: {
      name: 'Longest session',
      value: (hours) => `${hours} hours`,
    },
    sessionLimit: {
      name: 'Concurrent sessions',
      value: (count) => (count === '0' ? 'No limit' : `${count} per person`),
    },
    sessionBinding: {
      name: 'Sessions bound to where they began',
      value: (binding) =>
        ({ network: 'Network of the login (IPv4 /24, IPv6 /64)', exact: 'IP address of the login' })[
          binding
        ] ?? 'Not bound',
    },
    confirmation: {
      name: 'Reauthentication before sensitive actions',
      value: (minutes) =>
        `From ${minutes} minutes after the login or the last confirmation: the password, or the second factor if the user has one`,
    },
    adminNetworks: {
      name: 'Addresses of administrators',
      value: (count) => (count === '0' ? 'From anywhere' : `${count} allowed`),
    },
    disuse: {
      name: 'Suspension of inactive accounts',
      value: (days) => (days === '0' ? 'Never' : `After ${days} days`),
    },
    rightsAtOnce: {
      name: 'Changed permissions take effect',
      value: () =>
        'Immediately, from the next call on. The portal cannot know whether people who left or changed tasks are reported in time',
    },
    rightsRecords: {
      name: 'Retention of permission changes',
      value: (months) => `${months} months`,
    },
    rightsGrants: {
      name: 'Requester, reason and approver of permissions',
      value: (reasons) =>
        `Author, time and values before and after are always recorded · reason ${reasons === 'required' ? 'required' : 'optional'} · request and approval by two people happen outside the portal`,
    },
    rightsReview: {
      name: 'Quarterly access review',
      value: (due, missed, signed) => waiting(due, 'quarters', missed, signed),
    },
    accessLog: {
      name: 'Retention of the access log',
      value: (months) => `${months} months in the database, then in files`,
    },
    accessLogEnd: {
      name: 'Maximum retention of the access log',
      value: (months) => `${months} months after the end of the month`,
    },
    inspection: {
      name: 'Inspection of the access log',
      value: (due, missed, signed, months, stated) =>
        `${months === '1' ? 'Every month' : `Every ${months} months`} · ${waiting(due, 'months', missed, signed)} · ${stated === 'Y' ? 'method and follow-up stated' : 'method or follow-up not stated'}`,
    },
    trailGuard: {
      name: 'Tamper protection of records',
      value: (at, copy) =>
        `${at === '' ? 'Access log never verified' : `Last verified ${at}`} · ${{ none: 'signatures only on this server', disk: 'signatures in another folder (check that it is on another machine)' }[copy] ?? 'signatures in external storage'}`,
    },
    portalTls: {
      name: 'Portal by TLS',
      value: (address) =>
        address.startsWith('https:')
          ? `${address} (the TLS of the proxy is not checked)`
          : address || 'Address not set',
    },
    mailTls: {
      name: 'Mail by TLS',
      value: (host) => host || 'No mail server',
    },
    databaseTls: {
      name: 'Database by TLS',
      value: (kind) => (kind === 'own' ? 'Within this server' : 'External database'),
    },
    backups: { name: 'Tested backups', value: backup },
    jobs: { name: 'Scheduled jobs', value: () => 'Jobs that run automatically' },
    clock: { name: 'Clock', value: () => 'Clocks of the server and the database' },
    erasing: {
      name: 'Expired data is erased',
      value: (days) => `${days} days after a withdrawal`,
    },
    erasureRequest: {
      name: 'Erasure on request',
      value: () => 'No feature erases an account earlier than 30 days after its withdrawal',
    },
  },
}
