// Bulk changes that end the access of users, or restore it.
import { sql } from 'kysely'
import { catalogues } from '../../../../contract/messages/index.ts'
import { APPROVAL, DISUSE } from '../../../../contract/users.ts'
import { differences } from '../../../records/audit.ts'
import type { ChangeOf } from './bulk.ts'
import type { ChosenPerson } from './bulk-people.ts'
import { LIFTED, mayLift, type Suspension } from '../access/suspend.ts'
import { RESTORED, rightsEnd, rightsReturn } from '../access/withdrawal.ts'

/**
 * Returns the bulk change that suspends approved accounts by hand (rules/users#suspension-by-hand), as
 * `suspendAccounts`. Skips accounts that are not approved (NOT_APPROVED) or suspended by hand already (ALREADY).
 * @param asked reason of the suspension; undefined for a preview, which needs none
 */
export const suspension =
  (asked?: Suspension): ChangeOf =>
  async () => ({
    action: 'suspend',
    asked: null,
    columns: {},
    obstacleOf({ approvalCode, suspendedFor }) {
      return approvalCode !== APPROVAL.approved ? 'NOT_APPROVED' : suspendedFor === null ? null : 'ALREADY'
    },
    presentOf: () => '',
    costsAdmins: true,
    ...(asked && { suspension: asked }),
  })

/**
 * Returns the bulk change that lifts suspensions of any kind. Skips accounts that are not suspended (ALREADY), and
 * those that are suspended for a security incident unless `mayLift` (ADMIN_NEEDED). Sessions stay ended. The trigger
 * `users_confirm` restarts the count of inactivity.
 * @param reason text for the audit row; '' for none
 */
export const liftSuspensions =
  (reason = ''): ChangeOf =>
  async (_, actor) => ({
    action: 'lift',
    asked: null,
    columns: LIFTED,
    obstacleOf({ suspendedAt, suspendedFor }) {
      if (suspendedAt === null) return 'ALREADY'
      return mayLift(actor, suspendedFor) ? null : 'ADMIN_NEEDED'
    },
    presentOf({ suspendedFor, suspendedReason }, language) {
      const why = catalogues[language].users.account.suspendedFor
      return [why[suspendedFor ?? DISUSE], suspendedReason].filter(Boolean).join(' · ')
    },
    costsAdmins: false,
    endsSessions: true,
    detailOf: (person) => ({ ...differences(person, LIFTED), ...(reason !== '' && { reason }) }),
  })

/**
 * Returns the bulk change that withdraws approved accounts, and ends their sessions and email links
 * (rules/users#withdrawal). Skips accounts that are not approved (NOT_APPROVED). Their keys stay valid.
 * @param reason text for the record and the audit row; '' for none
 */
export const withdrawal =
  (reason = ''): ChangeOf =>
  async (_, { id }) => ({
    action: 'withdraw',
    asked: null,
    columns: {
      withdrawnAt: sql<Date>`now()`,
      withdrawnBy: id,
      withdrawnReason: reason === '' ? null : reason,
    },
    obstacleOf: ({ approvalCode }) => (approvalCode === APPROVAL.approved ? null : 'NOT_APPROVED'),
    presentOf: () => '',
    costsAdmins: true,
    endsSessions: true,
    detailOf: (person) => ({ ...rightsEnd(person), ...(reason !== '' && { reason }) }),
  })

/**
 * Bulk change that mails invitations again to users who have one, also an expired one (rules/users#invitation). The
 * previous links end. Skips users without an invitation, and during the hold after a reset of second factors
 * (NOT_INVITED).
 */
export const invitations: ChangeOf = async () => ({
  action: 'invite',
  asked: null,
  columns: {},
  obstacleOf: ({ invitation }) => (invitation === null ? 'NOT_INVITED' : null),
  presentOf: ({ email }) => email,
  costsAdmins: false,
  detailOf: () => ({}),
})

/**
 * Bulk change that restores withdrawn accounts with their previous roles (rules/users#taking-back). Sessions stay
 * ended. Skips accounts whose role the actor may not grant (ADMIN_NEEDED), that were withdrawn too long ago (TOO_LATE),
 * or whose email another account has (EMAIL_TAKEN). Skips several with the same email (EMAIL_TWICE).
 */
export const restoration: ChangeOf = async () => ({
  action: 'restore',
  asked: null,
  columns: RESTORED,
  obstacleOf({ isRestorable, isEmailTaken, isGrantable }) {
    if (!isGrantable) return 'ADMIN_NEEDED'
    if (!isRestorable) return 'TOO_LATE'
    return isEmailTaken ? 'EMAIL_TAKEN' : null
  },
  presentOf: ({ withdrawnTime }) => withdrawnTime.slice(0, 10),
  costsAdmins: false,
  ofWithdrawn: true,
  markRivals: markSharedEmails,
  endsSessions: true,
  detailOf: (person) => ({ ...rightsReturn(person), ...differences(person, { withdrawnAt: null }) }),
})

/**
 * Sets the obstacle EMAIL_TWICE for all withdrawn users who had the same email at different times: only one can have it
 * again, so the caller must choose.
 */
function markSharedEmails(able: readonly ChosenPerson[]): void {
  for (const sharing of Map.groupBy(able, ({ email }) => email).values()) {
    if (sharing.length > 1) for (const person of sharing) person.obstacle = 'EMAIL_TWICE'
  }
}
