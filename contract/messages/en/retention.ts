import type { RetentionTexts } from '../ko/retention.ts'

/** Texts of the retention page, in English. */
export const retention: RetentionTexts = {
  lead: 'Personal data is erased automatically when its retention period ends. The erasure history below records what was erased, how many records, when and under which period.',
  notYet: (day) =>
    `After the update, the first erasure is on ${day}. Please check the retention periods before then.`,
  title: 'Retention periods',
  results: 'List of retention periods',
  loading: 'Loading the retention periods.',
  failed: 'The retention periods could not be loaded.',
  empty: 'There are no retention periods.',
  change: 'Change retention periods',
  save: 'Save',
  saved: 'The retention periods have been saved.',
  dialogLead: 'Changes apply from the next erasure on. Erased data cannot be restored.',
  bounds: (unit, min, max, usual) => `In ${unit}, ${min} to ${max} (default ${usual})`,
  units: { days: 'days', months: 'months' },
  kept: { days: (n) => `${n} days`, months: (n) => `${n} months` },
  keptSince: (since, kept) => `${kept} ${since}`,
  columns: {
    kind: 'Personal data',
    keptFor: 'Retention period',
    method: 'Erasure method',
    reason: 'Reason for the period',
  },
  officer: 'Erasure officer',
  officerHint: 'Office, position and name of the privacy officer, shown on certificates of destruction',
  noOfficer: 'Not set',
  kinds: {
    withdrawnAccounts: 'Withdrawn accounts',
    closedRequests: 'Rejected and canceled requests',
    refusedMails: 'Mails that could not be sent',
    notifications: 'Notifications',
    programTokens: 'Ended program and service tokens',
    trail: 'Audit log',
  },
  since: {
    withdrawnAccounts: 'after the withdrawal',
    closedRequests: 'after the rejection or cancellation',
    refusedMails: 'after the last attempt',
    notifications: 'after the notification',
    programTokens: 'after the token ended',
    trail: 'after the entry was written',
  },
  methods: { DELETED: 'Deleted', ANONYMIZED: 'Anonymized' },
  reasons: {
    withdrawnAccounts:
      'A withdrawal can be undone for 30 days. After that, the data is erased without delay (Personal Information Protection Act, article 21; Standard Guidelines, article 10: within 5 days). Notices, comments, issued keys and records keep “탈퇴한 사용자” (withdrawn user); the ID is kept in unreadable form, so that no other user can take it.',
    closedRequests:
      'Kept to answer questions about a rejection and to recognize repeated requests (Personal Information Protection Act, article 21). Approved requests are erased with their account.',
    refusedMails:
      'Only recipient and subject are kept, to investigate failed deliveries. The text is deleted as soon as the server stops trying (Personal Information Protection Act, article 21).',
    notifications:
      'Kept only as long as they are shown (Personal Information Protection Act, articles 3 and 21).',
    programTokens:
      'Kept to investigate incidents: which program or service was used, when and from where (Standards for safeguards of personal information, article 5). The token itself is never stored.',
    trail:
      'Records of granted, changed and revoked permissions must be kept for at least 3 years, so the period cannot be shorter than 36 months (Standards for safeguards of personal information, article 5, paragraph 3).',
  },
  erasures: {
    title: 'Erasure history',
    results: 'List of erasures',
    loading: 'Loading the erasure history.',
    failed: 'The erasure history could not be loaded.',
    empty: 'No personal data has been erased yet.',
    columns: { rowNumber: 'No.', erasedOn: 'Date', erasedKinds: 'Erased data', erasedCount: 'Records' },
    open: (day) => `Open the certificate of ${day}`,
  },
  certificate: {
    title: 'Certificate of destruction of personal data',
    statement:
      'The retention period of the personal data below has ended, and the data has been destroyed under article 21 of the Personal Information Protection Act and article 16 of its Enforcement Decree.',
    overview: 'Overview',
    rows: 'Destroyed data',
    empty: 'No personal data was erased in this period.',
    loading: 'Loading the erasure history.',
    failed: 'The erasure history could not be loaded.',
    print: 'Print certificate',
    months: 'Show the whole month',
    period: (from, to) => (from === to ? from : `${from} to ${to}`),
    count: (n) => n,
    facts: { company: 'Data controller', period: 'Date', count: 'Records', officer: 'Erasure officer' },
    columns: {
      kind: 'Personal data',
      erasedCount: 'Records',
      erasureMethod: 'Method',
      keptFor: 'Retention period',
      reason: 'Reason',
      firstAt: 'Started',
      lastAt: 'Ended',
    },
    methods: {
      DELETED: 'Permanently deleted from the database',
      ANONYMIZED: 'Permanently anonymized, so that no person can be identified',
    },
    signature: 'Confirmed by (signature)',
  },
  elsewhereTitle: 'Other retention periods',
  elsewhereLead: 'The server deletes this data automatically, or its configuration sets the period.',
  elsewhereResults: 'List of other retention periods',
  elsewhere: {
    sessions: 'Login sessions',
    codes: 'Verification codes and links',
    sentMails: 'Sent mails and their texts',
    loginTries: 'Counts of failed logins',
    loginNetworks: 'Networks of logins',
    accessLog: 'Access log',
  },
  elsewhereKept: {
    sessions: () => 'Until logout or expiry',
    codes: () => 'Until they are used or expire',
    sentMails: () => 'Until they are sent',
    loginTries: (n) => `${n} days after the last failure`,
    loginNetworks: (n) => `${n} days after the last login`,
    accessLog: (n) => `${n} months in the database, then as files`,
  },
  elsewhereReasons: {
    sessions: 'Ended sessions are not kept. Logins and logouts are in the access log.',
    codes: 'Not needed afterwards (Personal Information Protection Act, article 21).',
    sentMails: 'Not needed afterwards (Personal Information Protection Act, article 21).',
    loginTries:
      'Used to prevent password guessing (Standards for safeguards of personal information, article 5).',
    loginNetworks: 'Used to notify users of a login from a new network.',
    accessLog:
      'Must be kept for at least 1 year, or 2 years if the data of 50,000 people or more is processed (Standards for safeguards of personal information, article 8, paragraph 1). The security settings set the period; older months stay as files.',
  },
}
