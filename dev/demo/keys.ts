import { calendarDay, calendarWeek, daysAfter, earlier, later, startOfDay, yearsBefore } from './days.ts'
import type { DemoPartner } from './partners.ts'
import type { Random } from './random.ts'
import type { DemoUser } from './users.ts'

/** An issued key of the demo data; the key itself is derived from a secret and never kept (rules/keys#issued-key). */
export interface DemoKey {
  user: DemoUser
  partner: DemoPartner
  requestKey: string
  issuedAt: Date
}

/**
 * Makes `count` key issuances of the last year, oldest first, busy partners more often than quiet ones; no
 * partner passes its limits or its validity.
 * @throws when the partners' limits do not leave room for that many
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

/** When the user could have asked for a key: within the last year, both lives and the validity of both. */
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

  /** @returns false, counting nothing, when the partner has no key left at that moment */
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
