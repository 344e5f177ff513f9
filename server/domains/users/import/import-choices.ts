import { type Kysely, type Transaction } from 'kysely'
import { CODE_GROUP } from '../../../../contract/common.ts'
import { refuse, Refusal } from '../../../../contract/errors.ts'
import { partnerCode } from '../../../../contract/fields.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import type { Actor } from '../../../../contract/permissions.ts'
import { anyOf } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import { byNames } from '../../../services/import-rows.ts'
import { grantable, holdGrantableRoles, withinReach } from '../../roles/index.ts'

/** A partner that a row may name. */
interface Partner {
  id: string
  code: string
  isStopped: boolean
}

/** Returns the key of a partner: its code within an affiliation. */
export const partnerKey = (affiliation: string, code: string): string =>
  `${affiliation} ${code.trim().toUpperCase()}`

/**
 * Returns the affiliations, the roles that the actor may grant (rules/roles#giving) and the partners that the rows of a file may name, read
 * once for all rows.
 */
export async function lookUpChoices(
  db: Kysely<Database>,
  actor: Actor,
  rows: readonly { partnerCode: string }[],
) {
  // Sequential, because a transaction has one connection.
  const affiliations = await db
    .selectFrom('codes as c')
    .leftJoin('partners as p', 'p.id', 'c.default_partner_id')
    .select([
      'c.code',
      'c.name_ko',
      'c.name_en',
      'c.closed_at',
      'p.id as partner_id',
      'p.code as partner_code',
      'p.stopped_at',
    ])
    .where('c.group_code', '=', CODE_GROUP.affiliation)
    .execute()
  const roles = await db
    .selectFrom('roles')
    .select((eb) => [
      'code',
      'group_name as name_ko',
      'name_en',
      grantable(actor, eb.ref('code')).as('is_grantable'),
    ])
    .where((eb) => withinReach(actor, eb.ref('code')))
    .execute()
  const codes = new Set(rows.map((row) => row.partnerCode.trim().toUpperCase()))
  const partners = await db
    .selectFrom('partners')
    .select(['id', 'code', 'affiliation_code', 'stopped_at'])
    .where('code', '=', anyOf([...codes].filter((code) => partnerCode.safeParse(code).success)))
    .execute()
  const names = new Map([...affiliations, ...roles].map((row) => [row.code, row]))
  const defaultPartners = new Map(
    affiliations.map(({ code, partner_id, partner_code, stopped_at }): [string, Partner | undefined] => [
      code,
      partner_id === null || partner_code === null
        ? undefined
        : { id: partner_id, code: partner_code, isStopped: stopped_at !== null },
    ]),
  )
  return {
    nameOf: (wanted: string, language: Language) =>
      names.get(wanted)?.[language === 'ko' ? 'name_ko' : 'name_en'] ?? '',
    affiliations: byNames(affiliations),
    roles: byNames(roles.filter(({ is_grantable }) => is_grantable)),
    closed: new Set(affiliations.filter((row) => row.closed_at !== null).map(({ code }) => code)),
    defaultPartners,
    partners: new Map([
      ...[...defaultPartners].flatMap(([affiliation, partner]): [string, Partner][] =>
        partner === undefined ? [] : [[partnerKey(affiliation, partner.code), partner]],
      ),
      ...partners.map(({ id, code, affiliation_code, stopped_at }): [string, Partner] => [
        partnerKey(affiliation_code, code),
        { id, code, isStopped: stopped_at !== null },
      ]),
    ]),
  }
}

/**
 * Locks the roles and partners that users are given until the transaction ends: none is deleted or gains privileged permissions before.
 * Refuses if a partner was deactivated since the lookup.
 * @param chosen codes of roles and partners.id; duplicates are allowed
 * @throws {Refusal} IMPORT_INVALID if a role or partner changed since the lookup
 */
export async function holdRolesAndPartners(
  tx: Transaction<Database>,
  actor: Actor,
  chosen: { roles: readonly string[]; partners: readonly string[] },
): Promise<void> {
  await holdGrantableRoles(tx, actor, ...new Set(chosen.roles)).catch((error: unknown) => {
    if (error instanceof Refusal) refuse('IMPORT_INVALID')
    throw error
  })
  const partners = [...new Set(chosen.partners)]
  if (partners.length === 0) return
  const held = await tx
    .selectFrom('partners')
    .select('id')
    .where('id', 'in', partners)
    .where('stopped_at', 'is', null)
    .orderBy('id')
    .forKeyShare()
    .execute()
  if (held.length !== partners.length) refuse('IMPORT_INVALID')
}
