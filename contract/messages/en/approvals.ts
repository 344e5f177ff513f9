import type { Messages } from '../ko.ts'

/** `ko/approvals.ts` in English. */
export const approvals: Messages['approvals'] = {
  titles: {
    approvals: 'Waiting for approval',
  },

  total: (count) => (count === '1' ? '1 request' : `${count} requests`),
  list: 'Requests waiting for approval',
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
  empty: 'No requests are waiting for approval.',
  noMatches: 'No waiting request matches these filters.',
  failed: 'The requests could not be loaded.',
  open: (name) => `Open ${name}`,
  likeRunner: 'Name like an administrator’s',
  refusedBefore: (count) => `Rejected ${count}×`,
  select: 'Select',
  selectAll: 'Select all on this page',
  selectOne: (name) => `Select ${name}`,
  selected: (count) => `${count} selected`,
  approve: 'Approve',
  refuse: 'Reject',

  approveTitle: 'Approve requests',
  approveLead:
    'Once approved, they can log in during the validity period. If a mail server is set, they are notified by mail.',
  refuseTitle: 'Reject requests',
  refuseLead:
    'The entered account data is deleted. If a mail server is set, the applicant receives the reason below by mail. They may sign up again with the same ID and e-mail address.',
  reason: 'Reason for rejection',
  chosen: 'Applicants',
  people: (first, others) =>
    others === 0 ? first : `${first} and ${others} ${others === 1 ? 'other' : 'others'}`,
  kinds: { account: 'Account', affiliation: 'Affiliation' },
  from: (present, next) => `${present} → ${next}`,
  mixed: 'Please choose requests of one kind.',
  changeTitle: 'Approve a change of affiliation',
  changeLead:
    'Affiliation and partner code change. If a mail server is set, the requester is notified by mail.',
  refuseChangeTitle: 'Reject a change of affiliation',
  refuseChangeLead:
    'The affiliation stays as it is. If a mail server is set, the requester receives this reason by mail.',
  partnerOf: (affiliation) => `Partner code (${affiliation})`,
  approved: (count, written) =>
    `${count === 1 ? '1 request was' : `${count} requests were`} approved. ${written || 'The applicants were notified by mail.'}`,
  refused: (count, written) =>
    `${count === 1 ? '1 request was' : `${count} requests were`} rejected. ${written || 'The applicants were sent the reason by mail.'}`,

  toRequests: 'Decide the request',
  historyTitle: 'Approval history',
  historyColumns: {
    userId: 'Requested ID',
    requestedAt: 'Requested',
    kind: 'Kind',
    state: 'Result',
    decider: 'Decided by',
    decidedAt: 'Decided',
    reason: 'Reason for rejection',
  },
  states: { W: 'Waiting', A: 'Approved', R: 'Rejected', C: 'Canceled' },
  historyLoading: 'Loading the approval history.',
  historyEmpty: 'There are no approval requests.',
  historyFailed: 'The approval history could not be loaded.',
}
