import type { LeakTexts } from '../ko/leak.ts'

/** Texts of leak incidents. */
export const leak: LeakTexts = {
  lead: 'After a leak of personal data, find in the access log whose data it was, and prepare the notice and the report.',
  states: { OPEN: 'Open', NOTIFIED: 'Notified', REPORTED: 'Reported', CLOSED: 'Closed' },
  columns: {
    rowNumber: 'No.',
    title: 'Incident',
    incidentState: 'State',
    knownAt: 'Known since',
    dueAt: 'Notify and report by',
    creatorName: 'Recorded by',
  },
  results: 'List of leak incidents',
  loading: 'Loading leak incidents.',
  empty: 'No leak incident is recorded.',
  failed: 'Could not load the leak incidents.',
  open: (title) => `Open ${title}`,
  create: 'Record incident',
  created: 'The incident is recorded.',
  edit: 'Edit',
  saved: 'Saved.',
  save: 'Save',
  timeHint: 'e.g. 2026-11-27 09:30',

  clock: {
    left: (hours, minutes) => `${hours} h ${minutes} min left`,
    over: (hours, minutes) => `${hours} h ${minutes} min overdue`,
    done: 'Notice and report are recorded',
  },
  overview: 'Overview',
  facts: {
    knownAt: 'Known since',
    dueAt: 'Notify and report by',
    clock: 'Time left',
    created: 'Recorded',
    people: 'People affected',
    period: 'First and last access',
    tasks: 'Tasks',
    notes: 'Course and measures',
  },
  by: (time, name) => `${time} ${name}`,
  peopleOf: (all, withdrawn, erased) => `${all} (${withdrawn} withdrawn, ${erased} erased or removed)`,
  steps: {
    NOTIFIED: {
      name: 'Notice',
      mark: 'Record notice',
      ask: 'Record that the data subjects were notified?',
    },
    REPORTED: {
      name: 'Report',
      mark: 'Record report',
      ask: 'Record that the leak was reported to the authority?',
    },
    CLOSED: {
      name: 'Closed',
      mark: 'Close',
      ask: 'A closed incident can no longer be changed. Close it?',
    },
  },
  notDone: 'Not recorded',
  duties: 'Duties',

  searches: {
    title: 'Searches',
    lead: 'Find whose data an account, an IP address, a token or an export accessed. Months in files are not searched, and searches cannot be deleted.',
    search: 'Find people',
    searching: 'Searching the access log for people. This can take a minute.',
    found: (people, records) => `Found ${people} people in ${records} access records.`,
    origins: { ACCOUNT: 'Account', ADDRESS: 'IP address', TOKEN: 'Token', EXPORT: 'Export' },
    values: { ACCOUNT: 'ID', ADDRESS: 'IP address', TOKEN: 'Name of the token', EXPORT: 'Access record' },
    hints: {
      ACCOUNT: 'The present ID, or a former one that no other user has',
      ADDRESS: 'e.g. 203.0.113.7',
      TOKEN: 'Name of a program token, a service token or a provisioning provider',
      EXPORT:
        'Number of an access record of the export, such as 202611-1234. The period is the whole export.',
    },
    columns: {
      leakOrigin: 'Search by',
      period: 'Period',
      searchedAt: 'Searched at',
      searcherName: 'Searched by',
      personCount: 'People',
      recordCount: 'Access records',
    },
    searchedFrom: 'From',
    searchedTo: 'Until (exclusive)',
    results: 'List of searches',
    empty: 'Nothing was searched yet.',
    period: (from, to) => `${from} – ${to}`,
  },
  people: {
    title: 'People affected',
    columns: {
      rowNumber: 'No.',
      userId: 'ID',
      name: 'Name',
      personState: 'State',
      email: 'Email',
      phoneNumber: 'Phone number',
      tasks: 'Tasks',
      touchCount: 'Times',
      firstTouchedAt: 'First',
      lastTouchedAt: 'Last',
    },
    states: { PRESENT: 'Present', WITHDRAWN: 'Withdrawn', ERASED: 'Erased or removed' },
    show: 'Show the people',
    hide: 'Hide the people',
    showLead: 'Opening the list is recorded in the access log.',
    results: 'List of people affected',
    loading: 'Loading the people.',
    empty: 'No people were found.',
    failed: 'Could not load the people.',
    total: (count) => `${count} people`,
  },
  drafts: {
    notice: 'Draft of the notice',
    report: 'Draft of the report',
    lead: 'These are drafts. No mail is sent.',
    fill: 'Fill from the record',
    fillAsk: 'Replace the present text by one from the record?',
    print: 'Print',
    download: 'Download',
    noticeText: (d) => `Notice of a leak of personal data

We regret to inform you that your personal data at ${d.portal} leaked.

1. Leaked personal data
   (Please complete. Tasks in the access log: ${d.tasks})

2. When and how
   - Period: ${d.firstAt} – ${d.lastAt}
   - Known since: ${d.knownAt}
   - Course: ${d.notes}

3. What you can do
   - Change your password, and be careful with calls and mails of unknown origin.

4. Our response, and remedies
   (Please complete.)

5. Contact
   - ${d.portal} ${d.officer}
   - (Please complete.)

Basis: ${d.law}
`,
    reportText: (d) => `Report of a leak of personal data

1. Controller: ${d.portal}
2. Incident: ${d.title}
3. People affected: ${d.people}
4. Leaked data: (Please complete. Tasks in the access log: ${d.tasks})
5. Period: ${d.firstAt} – ${d.lastAt}
6. Known since: ${d.knownAt}
7. Course and measures
${d.notes}
8. Notice to the data subjects: (Please complete with time and means.)
9. Contact: ${d.officer}

Basis: ${d.law}
`,
    write: 'Write',
    editOf: (title) => `Write ${title}`,
    blank: '(Please complete.)',
  },
}
