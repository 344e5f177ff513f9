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

/** Code and name of an affiliation or role in the language of the caller. */
interface Named {
  code: string
  codeName: string
}

/**
 * Returns the affiliations and roles from which the form of a notice chooses its audience
 * (rules/notices#audience): all open affiliations and all roles with their names, in the order of selects.
 */
export const listAudience: Handler<typeof listEndpoint> = async ({ db, language }) => {
  const { affiliations, roles } = await db
    .selectNoFrom([
      namedCodes(language, sql`c.closed_at is null`, sql`true`).affiliations.as('affiliations'),
      namedCodes(language, sql`true`, sql`true`).roles.as('roles'),
    ])
    .executeTakeFirstOrThrow()
  return { audienceAffiliations: affiliations, audienceRoles: roles }
}

/**
 * Counts the users who could log in today and would belong to an audience that is being chosen, without the
 * caller. Reads no notice. A caller of another company gets the number among colleagues of that company
 * (rules/affiliations#external).
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
 * Returns the SQL columns with codes and names of the stored audience of a notice `n`, including closed
 * affiliations. An empty list means no restriction.
 */
export function audienceNames(language: Language) {
  const { affiliations, roles } = namedCodes(
    language,
    sql`c.code = any(n.audience_affiliations)`,
    sql`r.code = any(n.audience_roles)`,
  )
  return [affiliations.as('audienceAffiliations'), roles.as('audienceRoles')] as const
}

/**
 * Returns SQL expressions for the affiliations `c` and the roles `r` that fulfill a condition each, as lists of
 * code and name.
 */
function namedCodes(language: Language, affiliation: RawBuilder<unknown>, role: RawBuilder<unknown>) {
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

/** Audience in the columns of a notice; null means no restriction. */
interface StoredAudience {
  audienceAffiliations: string[] | null
  audienceRoles: string[] | null
}

/**
 * Returns the audience columns that an input changes, for the caller to store; empty if it changes none. An absent
 * list keeps its column, an empty list removes the restriction. Writes nothing.
 * @param before the stored audience. Its affiliations may stay even if they are closed now; only added codes are
 * checked
 * @throws {Refusal} CODE_NOT_FOUND for an added affiliation that is unknown or closed; ROLE_NOT_FOUND for an
 * unknown added role
 */
export async function audienceOf(
  db: Db,
  input: { audienceAffiliations?: string[] | undefined; audienceRoles?: string[] | undefined },
  before: StoredAudience = { audienceAffiliations: null, audienceRoles: null },
): Promise<Partial<StoredAudience>> {
  const affiliationCodes = changedCodes(input.audienceAffiliations, before.audienceAffiliations)
  const roleCodes = changedCodes(input.audienceRoles, before.audienceRoles)
  const chosen: Partial<StoredAudience> = {
    ...(affiliationCodes !== undefined && { audienceAffiliations: affiliationCodes }),
    ...(roleCodes !== undefined && { audienceRoles: roleCodes }),
  }
  const affiliations = addedCodes(affiliationCodes, before.audienceAffiliations)
  const roles = addedCodes(roleCodes, before.audienceRoles)
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

/** Returns the codes of a new list that the stored one does not have. */
const addedCodes = (codes: readonly string[] | null | undefined, before: readonly string[] | null) =>
  (codes ?? []).filter((code) => before?.includes(code) !== true)

/**
 * Returns the column for a list of the input: sorted codes without duplicates, or null for an empty list.
 * Undefined if the input has no list or the same codes are stored.
 */
function changedCodes(
  codes: readonly string[] | undefined,
  before: string[] | null,
): string[] | null | undefined {
  if (codes === undefined) return undefined
  const chosen = [...new Set(codes)].toSorted()
  if (chosen.join() === (before ?? []).join()) return undefined
  return chosen.length === 0 ? null : chosen
}
