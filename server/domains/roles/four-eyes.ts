import { type RawBuilder, sql } from 'kysely'
import type { OpeningAction } from '../../../contract/audit-actions.ts'
import { refuse } from '../../../contract/errors.ts'
import { POWERS } from '../../../contract/permissions.ts'
import type { Tx } from '../../db/database.ts'
import type { Call } from '../../http/handler.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { hasSettledFactor } from '../account/index.ts'

/** Days for which an account counts as controlled by the accounts that made, renamed, reset or promoted it (rules/roles#four-eyes). */
const DAYS = 30

/** Control that an action gives its actor over the account of another user. A way in includes control. */
const CONTROL_OF: Record<
  Extract<OpeningAction, `user.${string}`>,
  'way in' | 'control' | 'control by some columns' | 'nothing'
> = {
  'user.register': 'way in',
  'user.import': 'way in',
  'user.approve': 'control',
  'user.update': 'control by some columns',
  'user.extend': 'control by some columns',
  'user.lift': 'control',
  'user.unlock': 'nothing',
  'user.reset-password': 'way in',
  'user.ask-factor-reset': 'control',
  'user.confirm-factor-reset': 'control',
  'user.invite': 'way in',
  'user.request-email': 'way in',
  'user.restore': 'control',
}
/** Actions on another user's account with the control that they give. */
const actions = Object.entries(CONTROL_OF)

/** Actions that give their actor a way into an account: a password, or a mailbox that gets one. */
const OPENING_ACTIONS = actions.flatMap(([action, gives]) => (gives === 'way in' ? [action] : []))

/** Actions that give their actor control of the account that they are about. */
const CONTROLLING_ACTIONS = actions.flatMap(([action, gives]) =>
  gives === 'way in' || gives === 'control' ? [action] : [],
)

/**
 * Columns of an audit row that also give control: the account was renamed, approved, given another role, or moved with
 * a branch role.
 */
const CONTROLLING_COLUMNS = ['loginId', 'name', 'roleCode', 'approvalCode', 'branchRole']

/** Columns whose change makes an account look like that of another user. */
const NAMING_COLUMNS = ['loginId', 'name']

/**
 * SQL condition that a row of the audit log, `l`, counts: it is recent, and has an actor, unlike the operator's rows.
 */
const isRecent = sql<boolean>`(l.actor_id is not null and l.at > now() - make_interval(days => ${sql.lit(DAYS)}))`

/** SQL expression for the day of a row of the audit log, in Asia/Seoul. */
const dayOfRow = sql`to_char(l.at at time zone 'Asia/Seoul', 'YYYY-MM-DD')`

/**
 * SQL condition that a row of the audit log, `l`, changed the validity period of an account that was expired or not
 * valid yet.
 */
const isRevival = sql<boolean>`(l.action in ('user.extend', 'user.update') and
  (l.detail #>> '{validTo,before}' < ${dayOfRow} or l.detail #>> '{validFrom,before}' > ${dayOfRow}))`

/** Returns the SQL query for one account by its users.id. */
const toQuery = (user: RawBuilder<unknown>) => sql`select ${user}::bigint`

/** Returns the SQL query for users.id of the accounts that got a way into an account in the last DAYS, or renamed it. */
const queryOpeners = (user: RawBuilder<unknown>) => sql`
  select l.actor_id from audit_log l where l.records && array['user/' || ${user}::bigint] and ${isRecent} and (
    l.action = any(${OPENING_ACTIONS}::text[]) or l.action = 'user.update' and l.detail ?| ${NAMING_COLUMNS}::text[])`

/**
 * Returns the SQL query for users.id of the accounts that control some accounts, with these themselves: the actors of
 * the audit log in the last DAYS, followed backwards. A privileged permission that is granted to a role is granted to
 * each of its members.
 */
const queryControllers = (accounts: RawBuilder<unknown>) => sql`(
  with recursive controller (id) as (
    ${accounts}
    union
    select l.actor_id from controller c
      join users m on m.id = c.id
      join audit_log l on l.records && array['user/' || c.id, 'role/' || m.role_code]
      where ${isRecent} and (
        l.action = any(${CONTROLLING_ACTIONS}::text[])
        or ${isRevival}
        or l.action = 'user.update' and l.detail ?| ${CONTROLLING_COLUMNS}::text[]
        or l.action = 'user.approve-affiliation' and jsonb_path_exists(l.detail,
          '$.moves[*] ? (@.id == $id && exists (@.branchRole))', jsonb_build_object('id', c.id::text))
        or l.action = 'role.grant' and exists (
          select from unnest(${[...POWERS]}::text[]) as power
          where l.detail -> 'after' -> 'functions' ? power and not l.detail -> 'before' -> 'functions' ? power))
  )
  select id from controller)`

/**
 * Returns the SQL condition that two sets of accounts are related: some account controls an account of each. Each
 * account controls itself, so the sets are also related if one controls the other.
 * @param some query for the IDs of the first set: users.id
 * @param others query for the IDs of the second set: users.id
 */
const areRelated = (some: RawBuilder<unknown>, others: RawBuilder<unknown>) => sql<boolean>`exists (
  select from ${queryControllers(some)} as a join ${queryControllers(others)} as b on b.id = a.id)`

/**
 * Returns the SQL condition that a user is related to an account that got a way into another account in the last DAYS,
 * or renamed it.
 * @param user users.id of the user
 * @param about users.id of the account that the step changes
 */
export const isInvolved = (user: RawBuilder<unknown>, about: RawBuilder<unknown>) =>
  areRelated(toQuery(user), queryOpeners(about))

/**
 * Returns the SQL condition that two accounts may take a step that needs two people (rules/roles#four-eyes): the other
 * one has a second factor that is at least FACTOR_HOLD_DAYS old, they are not related, and neither is related to an
 * account that got a way into the account of the step, or renamed it. All three are users.id.
 * @param user the account that confirms the step
 * @param other the account that requested it
 * @param about the account that the step changes
 */
export const mayJoin = (
  user: RawBuilder<unknown>,
  other: RawBuilder<unknown>,
  about: RawBuilder<unknown>,
) => sql<boolean>`(${hasSettledFactor(other)} and not ${areRelated(toQuery(user), toQuery(other))}
  and not ${areRelated(sql`${toQuery(user)} union ${toQuery(other)}`, queryOpeners(about))})`

/** Part of a call that takes a step which needs two people. */
type Step = Pick<Call, 'passesFourEyes'> & { actor: SignedIn }

/**
 * Refuses a caller who may not request or confirm a step that needs two people (rules/roles#four-eyes). Otherwise
 * marks the call as checked; without the mark its audit row cannot be written.
 * @param involved true if the caller is related to an account that got a way into the account of the step, or
 * renamed it (`isInvolved`)
 * @throws {Refusal} FOUR_EYES_FACTOR if the caller gave no second factor within CONFIRMATION_MINUTES that is at
 * least FACTOR_HOLD_DAYS old; FOUR_EYES_RELATED if `involved` is true
 */
export function requireIndependent(step: Step, involved: boolean): void {
  if (!step.actor.factorGiven) refuse('FOUR_EYES_FACTOR')
  if (involved) refuse('FOUR_EYES_RELATED')
  step.passesFourEyes()
}

/**
 * Refuses a caller who may not confirm a step that another user requested about a third account. Otherwise marks
 * the call as checked, as `requireIndependent`.
 * @param askerId users.id of the account that requested the step
 * @param aboutId users.id of the account that the step changes
 * @throws {Refusal} FOUR_EYES_FACTOR as `requireIndependent`; FOUR_EYES_RELATED if `mayJoin` fails, also because
 * the requester has no second factor that is FACTOR_HOLD_DAYS old
 */
export async function requireFourEyes(tx: Tx, step: Step, askerId: string, aboutId: string): Promise<void> {
  const { id } = step.actor
  const { may } = await tx
    .selectNoFrom(mayJoin(sql`${id}`, sql`${askerId}`, sql`${aboutId}`).as('may'))
    .executeTakeFirstOrThrow()
  requireIndependent(step, !may)
}
