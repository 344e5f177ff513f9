// Bulk changes that end the access of users, or restore it.
import { sql } from 'kysely'
import { catalogues } from '../../../../contract/messages/index.ts'
import { APPROVAL, DISUSE } from '../../../../contract/users.ts'
import { differences } from '../../../services/audit.ts'
import type { ChangeOf } from './bulk.ts'
import type { ChosenPerson } from './bulk-people.ts'
import { LIFTED, mayLift, type Suspension } from '../access/suspend.ts'
import { RESTORED, rightsEnd, rightsReturn } from '../access/withdrawal.ts'

/** Returns the bulk change that suspends approved accounts by hand (rules/users#suspension-by-hand). */
export const suspension =
  (asked?: Suspension): ChangeOf =>
  async () => ({
    action: 'suspend',
    asked: null,
    columns: {},
    obstacleOf({ approval_code, suspended_for }) {
      return approval_code !== APPROVAL.approved ? 'NOT_APPROVED' : suspended_for === null ? null : 'ALREADY'
    },
    presentOf: () => '',
    costsAdmins: true,
    ...(asked && { suspension: asked }),
  })

/** Returns the bulk change that lifts suspensions of any kind. The trigger `users_confirm` restarts the count of inactivity. */
export const lifting =
  (reason = ''): ChangeOf =>
  async (_, actor) => ({
    action: 'lift',
    asked: null,
    columns: LIFTED,
    obstacleOf({ suspended_at, suspended_for }) {
      if (suspended_at === null) return 'ALREADY'
      return mayLift(actor, suspended_for) ? null : 'ADMIN_NEEDED'
    },
    presentOf({ suspended_for, suspended_reason }, language) {
      const why = catalogues[language].users.account.suspendedFor
      return [why[(suspended_for ?? DISUSE) as keyof typeof why], suspended_reason]
        .filter(Boolean)
        .join(' · ')
    },
    costsAdmins: false,
    endsSessions: true,
    detailOf: (person) => ({ ...differences(person, LIFTED), ...(reason !== '' && { reason }) }),
  })

/** Returns the bulk change that withdraws approved accounts (rules/users#withdrawal). */
export const withdrawal =
  (reason = ''): ChangeOf =>
  async (_, { id }) => ({
    action: 'withdraw',
    asked: null,
    columns: {
      withdrawn_at: sql<Date>`now()`,
      withdrawn_by: id,
      withdrawn_reason: reason === '' ? null : reason,
    },
    obstacleOf: ({ approval_code }) => (approval_code === APPROVAL.approved ? null : 'NOT_APPROVED'),
    presentOf: () => '',
    costsAdmins: true,
    endsSessions: true,
    detailOf: (person) => ({ ...rightsEnd(person), ...(reason !== '' && { reason }) }),
  })

/** Bulk change that restores withdrawn accounts (rules/users#taking-back). */
export const restoration: ChangeOf = async () => ({
  action: 'restore',
  asked: null,
  columns: RESTORED,
  obstacleOf({ isRestorable, isEmailTaken, isGrantable }) {
    if (!isGrantable) return 'ADMIN_NEEDED'
    if (!isRestorable) return 'TOO_LATE'
    return isEmailTaken ? 'EMAIL_TAKEN' : null
  },
  presentOf: ({ withdrawnAt }) => withdrawnAt.slice(0, 10),
  costsAdmins: false,
  ofWithdrawn: true,
  markRivals: markSharedEmails,
  endsSessions: true,
  detailOf: (person) => ({ ...rightsReturn(person), ...differences(person, { withdrawn_at: null }) }),
})

/** Marks users who had the same email at different times: only one can have it again, so the caller must choose. */
function markSharedEmails(able: readonly ChosenPerson[]): void {
  for (const sharing of Map.groupBy(able, ({ email }) => email).values()) {
    if (sharing.length > 1) for (const person of sharing) person.obstacle = 'EMAIL_TWICE'
  }
}
