import { type RawBuilder, sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import type {
  countRecipients as countEndpoint,
  listAudience as listEndpoint,
} from '../../../contract/notices.ts'
import type { Db } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { isExternal, mayLogIn, nameColumn } from '../../db/sql.ts'
import { inCompany } from '../roles/index.ts'

interface Named {
  code: string
  codeName: string
}

/**
 * Returns the choices of an audience (rules/notices#audience): the open affiliations and all roles with their names, in
 * the order of selects.
 */
export const listAudience: Handler<typeof listEndpoint> = async ({ db, language }) => {
  const { affiliations, roles } = await db
    .selectNoFrom([
      named(language, sql`c.closed_at is null`, sql`true`).affiliations.as('affiliations'),
      named(language, sql`true`, sql`true`).roles.as('roles'),
    ])
    .executeTakeFirstOrThrow()
  return { audienceAffiliations: affiliations, audienceRoles: roles }
}

/**
 * Counts the users who could log in today and belong to the audience, without the caller. People of another company learn only how many of
 * their colleagues do (rules/affiliations#external).
 */
export const countRecipients: Handler<typeof countEndpoint> = (
  { db, actor },
  { audienceAffiliations = [], audienceRoles = [] },
) =>
  db
    .selectFrom('users as u')
    .select(sql<number>`count(*)::int`.as('recipientCount'))
    .where(mayLogIn('u'))
    .where('u.id', '<>', actor.id)
    .$if(audienceAffiliations.length > 0, (users) =>
      users.where('u.affiliationCode', 'in', audienceAffiliations),
    )
    .where(inCompany(actor, sql.ref('u.affiliationCode')))
    // People of another company see a notice only if it names their affiliation.
    .$if(audienceAffiliations.length === 0 && actor.company === null, (users) =>
      users.where(sql<boolean>`not ${isExternal(sql`u.affiliation_code`)}`),
    )
    .$if(audienceRoles.length > 0, (users) => users.where('u.roleCode', 'in', audienceRoles))
    .executeTakeFirstOrThrow()

/**
 * Returns the columns with codes and names of the audience of a notice `n`, including closed affiliations; empty lists
 * for everyone.
 */
export function audienceNames(language: Language) {
  const { affiliations, roles } = named(
    language,
    sql`c.code = any(n.audience_affiliations)`,
    sql`r.code = any(n.audience_roles)`,
  )
  return [affiliations.as('audienceAffiliations'), roles.as('audienceRoles')] as const
}

function named(language: Language, affiliation: RawBuilder<unknown>, role: RawBuilder<unknown>) {
  const roleName = sql.ref(language === 'ko' ? 'r.groupName' : 'r.nameEn')
  return {
    affiliations: sql<Named[]>`coalesce((
      select json_agg(json_build_object('code', c.code, 'codeName', ${sql.ref(`c.${nameColumn[language]}`)}) order by c.sort_order, c.code)
      from codes c where c.group_code = ${CODE_GROUP.affiliation} and ${affiliation}), '[]')`,
    roles: sql<Named[]>`coalesce((
      select json_agg(json_build_object('code', r.code, 'codeName', ${roleName}) order by r.sort_order, r.code)
      from roles r where ${role}), '[]')`,
  }
}

/** Audience in the columns of a notice; null for everyone. */
interface Kept {
  audienceAffiliations: string[] | null
  audienceRoles: string[] | null
}

/**
 * Returns the audience columns that the input changes; empty if it changes none. An absent list keeps its column, an
 * empty list means everyone. Writes nothing.
 * @param before the current audience, whose closed affiliations the notice may keep
 * @throws {Refusal} CODE_NOT_FOUND for an affiliation that is unknown or closed; ROLE_NOT_FOUND
 */
export async function audienceOf(
  db: Db,
  input: { audienceAffiliations?: string[] | undefined; audienceRoles?: string[] | undefined },
  before: Kept = { audienceAffiliations: null, audienceRoles: null },
): Promise<Partial<Kept>> {
  const affiliationCodes = changed(input.audienceAffiliations, before.audienceAffiliations)
  const roleCodes = changed(input.audienceRoles, before.audienceRoles)
  const chosen: Partial<Kept> = {
    ...(affiliationCodes !== undefined && { audienceAffiliations: affiliationCodes }),
    ...(roleCodes !== undefined && { audienceRoles: roleCodes }),
  }
  const affiliations = added(affiliationCodes, before.audienceAffiliations)
  const roles = added(roleCodes, before.audienceRoles)
  if (affiliations.length + roles.length === 0) return chosen
  const { open, known } = await db
    .selectNoFrom([
      sql<number>`(select count(*)::int from codes
        where group_code = ${CODE_GROUP.affiliation} and closed_at is null and code = any(${affiliations}))`.as(
        'open',
      ),
      sql<number>`(select count(*)::int from roles where code = any(${roles}))`.as('known'),
    ])
    .executeTakeFirstOrThrow()
  if (open < affiliations.length) refuse('CODE_NOT_FOUND')
  if (known < roles.length) refuse('ROLE_NOT_FOUND')
  return chosen
}

const added = (codes: readonly string[] | null | undefined, before: readonly string[] | null) =>
  (codes ?? []).filter((code) => before?.includes(code) !== true)

/**
 * Returns the codes sorted and without duplicates; null for everyone, and undefined if the list is absent or the notice
 * has this audience already.
 */
function changed(codes: readonly string[] | undefined, before: string[] | null): string[] | null | undefined {
  if (codes === undefined) return undefined
  const chosen = [...new Set(codes)].toSorted()
  if (chosen.join() === (before ?? []).join()) return undefined
  return chosen.length === 0 ? null : chosen
}
