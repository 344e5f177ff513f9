import { sql } from 'kysely'
import {
  CHOOSABLE,
  type chooseNotification as chooseEndpoint,
  KINDS,
  type listNotificationChoices as listEndpoint,
  mailOf,
  mayConcern,
} from '../../../contract/notifications.ts'
import type { Handler } from '../../http/handler.ts'

/** Lists the kinds of notifications that the caller may get, and the preferences for them (rules/notifications#choices). */
export const listNotificationChoices: Handler<typeof listEndpoint> = async ({ db, actor }) => {
  const state = await db
    .selectFrom('notification_states')
    .select(['hidden', 'mail'])
    .where('user_id', '=', actor.id)
    .executeTakeFirst()
  const { hidden, mail } = state ?? { hidden: [], mail: {} }
  const isChoosable = new Set<string>(CHOOSABLE)
  const choices = KINDS.filter((kind) => mayConcern(kind, actor)).map((kind) => ({
    kind,
    shown: !hidden.includes(kind),
    mail: mailOf(kind, actor, mail),
    changeable: isChoosable.has(kind),
  }))
  return { choices }
}

/** Saves a preference. Preferences for other kinds that another window saves concurrently are kept. */
export const chooseNotification: Handler<typeof chooseEndpoint> = async (
  { db, actor },
  { kind, shown, mail },
) => {
  await sql`
    insert into notification_states as s (user_id, hidden, mail)
    values (${actor.id}, ${shown ? [] : [kind]}::text[], jsonb_build_object(${kind}::text, ${mail}::text))
    on conflict (user_id) do update
      set hidden = array_remove(s.hidden, ${kind}) || excluded.hidden, mail = s.mail || excluded.mail`.execute(
    db,
  )
  return {}
}
