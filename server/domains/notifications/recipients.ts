import { sql } from 'kysely'
import type { Language } from '../../../contract/messages/language.ts'
import {
  hasOwnMail,
  holdersOf,
  type Kind,
  KINDS,
  MAIL,
  type MailChoice,
  mailOf,
  usualMail,
} from '../../../contract/notifications.ts'
import { can, functionsWithin } from '../../../contract/permissions.ts'
import { mayLogIn } from '../../db/sql.ts'
import type { Db } from '../../db/database.ts'
import { functionsOf, withinOf } from '../roles/index.ts'
import type { Reader } from './queries.ts'

/** A user who may get a mail. */
export interface Recipient extends Reader {
  email: string
  language: Language
  /** The kinds that the user wants in such a mail. */
  kinds: Kind[]
}

/**
 * Returns the users who may log in today and get mails of this choice, with the kinds that they want in them. They are
 * in `personIds`, or get such mails about some of `kinds`, by choice or by default. Leaves out users who want no such
 * mail about any kind.
 * @param choice when the mail is sent: immediately or once a day
 * @param personIds users.id of the users with a notification of their own
 * @param kinds kinds without a stored notification for each user
 */
export async function findRecipients(
  db: Db,
  choice: MailChoice,
  personIds: readonly string[],
  kinds: readonly Kind[],
): Promise<Recipient[]> {
  const functions = kinds.flatMap((kind) => (usualMail(kind) === choice ? (holdersOf(kind) ?? []) : []))
  const rows = await db
    .selectFrom('users as u')
    .leftJoin('notificationStates as s', 's.userId', 'u.id')
    .select([
      'u.id',
      'u.loginId as userId',
      'u.email',
      'u.language',
      'u.affiliationCode',
      'u.roleCode',
      'u.partnerId',
      functionsOf(sql.ref('u.roleCode')).as('functions'),
      withinOf('u').as('within'),
      's.mail',
    ])
    .where(
      'u.id',
      'in',
      sql<string>`(
        select unnest(${[...personIds]}::bigint[])
        union select user_id from notification_states chosen where chosen.mail <> '{}'
          and exists (select from unnest(${[...kinds]}::text[]) kind where chosen.mail ->> kind = ${choice})
        union select id from users where role_code in
          (select role_code from role_functions where function_name = any(${functions}::text[])))`,
    )
    .where(mayLogIn('u'))
    .orderBy('u.id')
    .execute()
  return rows
    .map(({ mail, ...person }) => ({
      ...person,
      functions: functionsWithin(person.functions, person.within),
      kinds: KINDS.filter(
        (kind) => mailOf(kind, person, mail ?? {}) === choice && !getsOwnMail(kind, choice, person),
      ),
    }))
    .filter(({ kinds: wanted }) => wanted.length > 0)
}

/** Returns whether the call that causes the event mails this user itself, with more details, in its own transaction. */
function getsOwnMail(kind: Kind, choice: MailChoice, person: Reader): boolean {
  if (choice !== MAIL.atOnce) return false
  return hasOwnMail(kind) || (kind === 'KEY_LIMIT' && can(person, 'autho_partner_search'))
}
