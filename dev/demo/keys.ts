import { calendarDay, calendarWeek, daysAfter, earlier, later, startOfDay, yearsBefore } from './days.ts'
import type { DemoPartner } from './partners.ts'
import type { Random } from './random.ts'
import type { DemoUser } from './users.ts'
import { sql } from 'kysely'
import type { KeySecret } from '../../server/services/key-secret.ts'
import type { Tx } from '../../server/db/database.ts'

/** An issued key of the demo data. The key itself is derived from a secret and never stored (rules/keys#issued-key). */
export interface DemoKey {
  user: DemoUser
  partner: DemoPartner
  requestKey: string
  issuedAt: Date
}

/**
 * Creates `count` issued keys of the last year, oldest first. Some partners are busier than others. No partner exceeds its limits or
 * its validity.
 * @throws if the limits of the partners do not allow that many
 */
export function makeKeys(random: Random, now: Date, count: number, users: readonly DemoUser[]): DemoKey[] {
  const busy = new Map<DemoPartner, number>()
  const candidates = users.flatMap((user) => {
    if (user.partner === null) return []
    const { partner } = user
    const weight =
      busy.get(partner) ??
      random.weighted([
        [1, 6],
        [4, 3],
        [15, 1],
      ] as const)
    busy.set(partner, weight)
    const span = spanOf(user, partner, now)
    return span.from < span.to ? [[{ user, partner, ...span }, weight] as const] : []
  })
  const issued = new Counter()
  const keys: DemoKey[] = []
  for (let tries = 0; keys.length < count; tries += 1) {
    if (tries > count * 20) throw new Error('The limits of the partners leave no room for more keys')
    const { user, partner, from, to } = random.weighted(candidates)
    const issuedAt = random.moment(from, to)
    if (!issued.add(partner, issuedAt)) continue
    const requestKey = Array.from({ length: 4 }, () => random.hex(8)).join('-')
    keys.push({ user, partner, requestKey, issuedAt })
  }
  return keys.toSorted((a, b) => a.issuedAt.getTime() - b.issuedAt.getTime())
}

/**
 * Returns the time in which a user could request keys: within the last year, while user and partner existed and were valid. It is
 * empty if `from` is not before `to`.
 */
function spanOf(user: DemoUser, partner: DemoPartner, now: Date): { from: Date; to: Date } {
  const starts = [user.createdAt, partner.createdAt, startOfDay(user.validFrom ?? '1900-01-01')]
  const ends = [
    user.withdrawnAt ?? now,
    startOfDay(user.validTo ?? '2099-12-31'),
    startOfDay(partner.validTo ?? '2099-12-31'),
  ]
  return { from: starts.reduce(later, yearsBefore(now, 1)), to: ends.reduce(earlier, daysAfter(now, 0)) }
}

/** Counts keys by partner and calendar period, as issuing does (rules/keys#limits). */
class Counter {
  readonly #counts = new Map<string, number>()

  /** Counts a key; false, without counting, if the partner has no key left at that time. */
  add({ code, limits }: DemoPartner, at: Date): boolean {
    const day = calendarDay(at)
    const periods = [
      [`${code} ${day}`, limits.day],
      [`${code} week ${calendarWeek(at)}`, limits.week],
      [`${code} ${day.slice(0, 7)}`, limits.month],
      [code, limits.total],
    ] as const
    const isFull = periods.some(
      ([period, limit]) => limit !== null && (this.#counts.get(period) ?? 0) >= limit,
    )
    if (isFull) return false
    for (const [period] of periods) this.#counts.set(period, (this.#counts.get(period) ?? 0) + 1)
    return true
  }
}

/**
 * Writes the keys, and the warnings of partners that are near their total limit.
 * @param idsOf returns users.id and partners.id of a key
 */
export async function writeKeys(
  tx: Tx,
  keys: readonly DemoKey[],
  idsOf: (key: DemoKey) => { userId: string; partnerId: string },
): Promise<void> {
  await tx
    .insertInto('issuedKeys')
    .values(
      keys.map((key) => ({
        ...idsOf(key),
        requestKey: key.requestKey,
        affiliationCode: key.partner.affiliationCode,
        provinceName: key.partner.provinceName,
        districtName: key.partner.districtName,
        issuedAt: key.issuedAt,
      })),
    )
    .execute()
  // Issued one by one they would have left a warning where they came near the total (rules/keys#limit-warnings).
  await sql`insert into key_warnings (partner_id, period, starts_on, key_limit, mark)
    select p.id, 'total', '1900-01-01', p.limit_total, 80 from partners p join issued_keys k on k.partner_id = p.id
    where p.limit_total > 0 group by p.id having count(*) * 100 >= p.limit_total * 80`.execute(tx)
}

/**
 * Stores the fingerprint of the key secret, as the first issued key does (rules/keys#changed-secret). Does nothing
 * without keys.
 */
export async function writeKeySecret(
  tx: Tx,
  keys: readonly DemoKey[],
  { fingerprint }: Pick<KeySecret, 'fingerprint'>,
): Promise<void> {
  const since = keys[0]?.issuedAt
  if (since !== undefined)
    await tx.insertInto('keySecrets').values({ version: 1, fingerprint, since }).execute()
}
