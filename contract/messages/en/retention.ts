import type { RetentionTexts } from '../ko/retention.ts'

/** Texts of the page that says how long data are kept, in English. */
export const retention: RetentionTexts = {
  lead: 'Personal data are erased by themselves when their time is over. What was erased, how many, when and by which period stays on record.',
  notYet: (day) => `After the update nothing is erased before ${day}. Please look at the periods until then.`,
  title: 'How long data are kept',
  results: 'List of periods',
  loading: 'Loading the periods.',
  failed: 'The periods could not be loaded.',
  empty: 'There are no periods.',
  change: 'Change periods',
  save: 'Save',
  saved: 'The periods have been saved.',
  dialogLead: 'They hold from the next erasing on. What has been erased cannot be brought back.',
  bounds: (unit, min, max, usual) => `In ${unit}, ${min} to ${max} (usually ${usual})`,
  units: { days: 'days', months: 'months' },
  kept: { days: (n) => `${n} days`, months: (n) => `${n} months` },
  keptSince: (since, kept) => `${kept} ${since}`,
  columns: { kind: 'Personal data', keptFor: 'Kept for', METHOD: 'What becomes of them', REASON: 'Why' },
  officer: 'Responsible for erasing',
  officerHint: 'Office, position and name of the privacy officer, as certificates say it',
  noOfficer: 'Not set',
  kinds: {
    withdrawnAccounts: 'Withdrawn accounts',
    closedRequests: 'Refused and cancelled requests',
    refusedMails: 'Mails that could not be sent',
    notifications: 'Notifications',
    programTokens: 'Program tokens that ended',
    trail: 'Audit trail',
  },
  since: {
    withdrawnAccounts: 'since the withdrawal',
    closedRequests: 'since they were refused or cancelled',
    refusedMails: 'since they were given up',
    notifications: 'since they were told',
    programTokens: 'since their end',
    trail: 'since it was written',
  },
  methods: { DELETED: 'Deleted', ANONYMIZED: 'Made anonymous' },
  reasons: {
    withdrawnAccounts:
      'A withdrawal can be taken back for 30 days; after that the data go without delay (Personal Information Protection Act, article 21; Standard Guidelines, article 10: within 5 days). Notices, comments, issued keys and records keep “탈퇴한 사용자” (withdrawn user); the ID is kept unreadable, so that nobody else gets it.',
    closedRequests:
      'Kept for questions about a refusal and to see repeated requests (Personal Information Protection Act, article 21). Approved requests go with their account.',
    refusedMails:
      'Recipient and subject alone, while a failure may be looked into; the text goes when a mail is given up (Personal Information Protection Act, article 21).',
    notifications: 'No longer than they are shown (Personal Information Protection Act, articles 3 and 21).',
    programTokens:
      'Which program was used, when and from where, while an incident may be looked into (Standards for safeguards of personal information, article 5). The token itself is never stored.',
    trail:
      'Grants, changes and removals of rights have to be kept for 3 years, so that it cannot be less than 36 months (Standards for safeguards of personal information, article 5, paragraph 3).',
  },
  elsewhereTitle: 'Set elsewhere',
  elsewhereLead: 'The server removes them by itself, or its configuration says how long they are kept.',
  elsewhereResults: 'List of what is set elsewhere',
  elsewhere: {
    sessions: 'Sessions',
    codes: 'Certification codes and links',
    sentMails: 'Sent mails and their texts',
    loginTries: 'Counts of failed logins',
    loginNetworks: 'Networks of logins',
    accessLog: 'Access log',
  },
  elsewhereKept: {
    sessions: () => 'Until they end',
    codes: () => 'Until they are used or expire',
    sentMails: () => 'Until they are sent',
    loginTries: (n) => `${n} days after the last failure`,
    loginNetworks: (n) => `${n} days after the last login`,
    accessLog: (n) => `${n} months in the database, then as files`,
  },
  elsewhereReasons: {
    sessions: 'Nothing of them stays. Logins and logouts are in the access log.',
    codes: 'Not needed afterwards (Personal Information Protection Act, article 21).',
    sentMails: 'Not needed afterwards (Personal Information Protection Act, article 21).',
    loginTries:
      'They slow the guessing of passwords (Standards for safeguards of personal information, article 5).',
    loginNetworks: 'They tell a person of a login from somewhere new.',
    accessLog:
      'A year at least, two for 50,000 people or more (Standards for safeguards of personal information, article 8, paragraph 1). ACCESS_LOG_MONTHS of the server says it.',
  },
}
