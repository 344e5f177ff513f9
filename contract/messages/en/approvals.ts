import type { Messages } from '../ko.ts'

/** `ko/approvals.ts` in English. */
export const approvals: Messages['approvals'] = {
  titles: {
    approvals: 'Waiting for approval',
  },

  total: (count) => (count === '1' ? '1 request' : `${count} requests`),
  list: 'Requests that wait for approval',
  columns: {
    name: 'Name',
    userId: 'ID',
    kind: 'Kind',
    affiliationName: 'Affiliation',
    position: 'Position',
    phoneNumber: 'Phone number',
    email: 'E-mail',
    requestedAt: 'Requested',
  },
  loading: 'Loading the requests.',
  empty: 'No request waits for approval.',
  failed: 'The requests could not be loaded.',
  open: (name) => `Open ${name}`,
  likeRunner: 'Name like an administrator’s',
  refusedBefore: (count) => `Refused ${count}×`,
  select: 'Select',
  selectAll: 'Select all on this page',
  selectOne: (name) => `Select ${name}`,
  selected: (count) => `${count} selected`,
  approve: 'Approve',
  refuse: 'Refuse',

  approveTitle: 'Approve requests',
  approveLead:
    'Once approved they can log in while the validity lasts. If a mail server is set, they are notified by mail.',
  refuseTitle: 'Refuse requests',
  refuseLead:
    'What was entered for the account is deleted. If a mail server is set, the applicant reads the reason below in a mail. They may sign up again with the same ID and e-mail address.',
  reason: 'Reason for refusal',
  chosen: 'Applicants',
  people: (first, others) =>
    others === 0 ? first : `${first} and ${others} ${others === 1 ? 'other' : 'others'}`,
  kinds: { account: 'Account', affiliation: 'Affiliation' },
  from: (present, next) => `${present} → ${next}`,
  mixed: 'Please choose requests of one kind.',
  changeTitle: 'Approve a change of affiliation',
  changeLead:
    'Affiliation and partner code change. If a mail server is set, the requester is notified by mail.',
  refuseChangeTitle: 'Refuse a change of affiliation',
  refuseChangeLead:
    'The affiliation stays as it is. If a mail server is set, the requester reads this reason in a mail.',
  partnerOf: (affiliation) => `Partner code (${affiliation})`,
  approved: (count, written) =>
    `${count === 1 ? '1 request was' : `${count} requests were`} approved. ${written || 'The applicants were notified by mail.'}`,
  refused: (count, written) =>
    `${count === 1 ? '1 request was' : `${count} requests were`} refused. ${written || 'The applicants were told why by mail.'}`,

  toRequests: 'Decide the request',
  historyTitle: 'Approval history',
  historyColumns: {
    userId: 'ID asked for',
    requestedAt: 'Requested',
    kind: 'Kind',
    state: 'Result',
    decider: 'Decided by',
    decidedAt: 'Decided',
    reason: 'Reason for refusal',
  },
  states: { W: 'Waiting', A: 'Approved', R: 'Refused', C: 'Taken back' },
  historyLoading: 'Loading the approval history.',
  historyEmpty: 'There are no requests for approval on record.',
  historyFailed: 'The approval history could not be loaded.',
}
