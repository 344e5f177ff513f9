/** What a notification is about, as the wire says it (rules/notifications#kinds). */
export const KIND = {
  mustRead: 'MUST_READ',
  noticeComment: 'NOTICE_COMMENT',
  accountApproved: 'ACCOUNT_APPROVED',
  affiliationApproved: 'AFFILIATION_APPROVED',
  affiliationRefused: 'AFFILIATION_REFUSED',
  keyRevoked: 'KEY_REVOKED',
  keyLimit: 'KEY_LIMIT',
  programEnding: 'PROGRAM_ENDING',
  programEnded: 'PROGRAM_ENDED',
  serviceEnding: 'SERVICE_ENDING',
  newNetwork: 'NEW_NETWORK',
  sessionEnded: 'SESSION_ENDED',
  signUp: 'SIGN_UP',
  factorReset: 'FACTOR_RESET',
  inspection: 'INSPECTION',
  review: 'REVIEW',
} as const

/** One of the kinds. */
export type Kind = (typeof KIND)[keyof typeof KIND]

/** Kinds about the security of the reader's account. Their mails leave even if the notification was read: a thief could read it. */
export const SECURITY_KINDS: readonly Kind[] = [KIND.newNetwork, KIND.sessionEnded]

/** Every kind, in the order of the rules. */
export const KINDS = Object.values(KIND)
