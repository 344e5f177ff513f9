import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { PARTNER_STATES } from '../../../contract/partners.ts'
import { dateText, timeText, today } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import { contains } from '../../db/list.ts'
import { versionOf } from '../../db/version.ts'
import { affiliationName } from '../common/index.ts'

const partnerState = sql<(typeof PARTNER_STATES)[number]>`case
  when p.stopped_at is not null then 'stopped'
  when p.valid_to < ${today} then 'expired'
  when p.valid_from > ${today} then 'upcoming'
  else 'valid' end`

/** Returns the columns of a partner that the list and the detail page show. */
export function partnerColumns(language: Language) {
  return [
    'p.code as partnerCode',
    'p.name as partnerName',
    partnerState.as('state'),
    timeText('p.stopped_at').as('stoppedAt'),
    'p.type as partnerType',
    'p.affiliation_code as affiliationCode',
    affiliationName('p.affiliation_code', language).as('affiliationName'),
    'p.province_name as provinceName',
    'p.district_name as districtName',
    'p.province_code as provinceCode',
    'p.x as longitude',
    'p.y as latitude',
    'p.limit_day as maxKeysPerDay',
    'p.limit_week as maxKeysPerWeek',
    'p.limit_month as maxKeysPerMonth',
    'p.limit_total as maxKeysTotal',
    dateText('p.valid_from').as('validFrom'),
    // The partner is valid until the end of the last day (rules/partners#partner-validity).
    sql<string>`coalesce(p.valid_to::text || ' 23:59:59', '')`.as('validTo'),
  ] as const
}

/**
 * Returns a partner by its code.
 * @returns undefined if there is none
 */
export async function findPartner(db: Kysely<Database>, code: string, language: Language) {
  const partner = await db
    .selectFrom('partners as p')
    .where('p.code', '=', code)
    .select(partnerColumns(language))
    .select((eb) => {
      const people = eb.selectFrom('users as u').whereRef('u.partner_id', '=', 'p.id')
      const count = sql<number>`count(*)::int`.as('count')
      return [
        'p.memo',
        'p.contact',
        people.where('u.withdrawn_at', 'is', null).select(count).$asScalar().$notNull().as('userCount'),
        people
          .where('u.withdrawn_at', 'is not', null)
          .select(count)
          .$asScalar()
          .$notNull()
          .as('withdrawnCount'),
        stopReason.as('stopReason'),
      ]
    })
    .executeTakeFirst()
  return (
    partner && {
      ...partner,
      stopReason: partner.stopReason ?? undefined,
      version: versionOfPartner(partner),
    }
  )
}

/** Column with the reason of a deactivation from the audit log; null for an active partner. */
const stopReason = sql<
  string | null
>`case when p.stopped_at is not null then (select a.detail ->> 'reason' from audit_log a
  where a.records @> array['partner/' || p.id] and a.action = 'partner.stop' order by a.id desc limit 1) end`

/** Returns the version of a partner: a digest of the fields that its form edits, without translated names and counts. */
function versionOfPartner(partner: {
  provinceName: string
  districtName: string
  maxKeysPerDay: number | null
  maxKeysPerWeek: number | null
  maxKeysPerMonth: number | null
  maxKeysTotal: number | null
  validFrom: string
  validTo: string
  partnerName: string
  contact: string
  memo: string | null
}): string {
  return versionOf([
    partner.provinceName,
    partner.districtName,
    partner.maxKeysPerDay,
    partner.maxKeysPerWeek,
    partner.maxKeysPerMonth,
    partner.maxKeysTotal,
    partner.validFrom,
    partner.validTo,
    partner.partnerName,
    partner.contact,
    partner.memo,
  ])
}

/**
 * Returns the condition that a day is within a partner's validity period, first and last day included (rules/partners#partner-validity).
 */
export function isInForce(partners: string, day: RawBuilder<unknown>): RawBuilder<boolean> {
  const [from, to] = [sql.ref(`${partners}.valid_from`), sql.ref(`${partners}.valid_to`)]
  return sql<boolean>`(coalesce(${from} <= ${day}, true) and coalesce(${to} >= ${day}, true))`
}

/**
 * Returns the query for the IDs of the partners that a code filter selects. The code of a partner selects this partner alone, any other
 * text selects all partners whose code contains it (rules/lists#filters).
 */
export function partnersOfCode(text: string): RawBuilder<unknown> {
  const isIt = sql`code = ${text.toUpperCase()}`
  return sql`(select id from partners where ${contains(sql.ref('code'), text)}
    and (${isIt} or not exists (select from partners where ${isIt})))`
}

/** Returns whether a partner has this code. */
export async function isPartnerCode(db: Kysely<Database>, code: string): Promise<boolean> {
  const row = await db.selectFrom('partners').select('id').where('code', '=', code).executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the query for the partner of an affiliation by its code, as one row. Locks the row, so that it cannot be deleted before the
 * transaction that refers to it ends.
 */
export function heldPartner(
  affiliation: string,
  code: string,
): RawBuilder<{ id: string; is_stopped: boolean }> {
  return sql`select id, stopped_at is not null as is_stopped from partners where code = ${code} and affiliation_code = ${affiliation} for key share`
}

/**
 * Locks the selected partners, one per affiliation, until the transaction ends.
 * @returns partners.id by affiliation
 * @throws {Refusal} PARTNER_NOT_FOUND if a partner belongs to another affiliation or does not exist; PARTNER_STOPPED if a partner is
 *   deactivated: no user may be given it (rules/partners#stop-partner)
 */
export async function holdPartners(
  tx: Transaction<Database>,
  choices: readonly { affiliationCode: string; partnerCode: string }[],
): Promise<Map<string, string>> {
  const held = await tx
    .selectFrom('partners')
    .select(['id', 'affiliation_code', 'stopped_at'])
    .where((eb) =>
      eb.or(
        choices.map((choice) =>
          eb.and({ affiliation_code: choice.affiliationCode, code: choice.partnerCode }),
        ),
      ),
    )
    .orderBy('id')
    .forKeyShare()
    .execute()
  if (held.length < choices.length) refuse('PARTNER_NOT_FOUND')
  if (held.some(({ stopped_at }) => stopped_at !== null)) refuse('PARTNER_STOPPED')
  return new Map(held.map(({ id, affiliation_code }) => [affiliation_code, id]))
}

/** Returns the active partner codes of an affiliation, ordered by code. The default one has `isDefault`. */
export async function findPartnersOfAffiliation(db: Kysely<Database>, affiliation: string) {
  const partners = await db
    .selectFrom('partners as p')
    .select([
      'p.code as partnerCode',
      sql<boolean>`exists (select from codes c where c.default_partner_id = p.id)`.as('isDefault'),
    ])
    .where('p.affiliation_code', '=', affiliation)
    .where('p.stopped_at', 'is', null)
    .orderBy('p.code')
    .execute()
  return partners.map(({ partnerCode, isDefault }) =>
    isDefault ? { partnerCode, isDefault } : { partnerCode },
  )
}
