import { ROLE } from '../../contract/permissions.ts'
import { APPROVAL } from '../../contract/users.ts'
import {
  demoAccounts,
  DEMO_DOMAIN,
  type DemoState,
  FAMILY_NAMES,
  GIVEN_NAMES,
  UNUSUAL_NAMES,
} from './accounts.ts'
import { calendarDay, daysAfter, yearsBefore } from './days.ts'
import { HEAD_OFFICE } from '../../server/db/seed/codes.ts'
import { AFFILIATIONS, type DemoPartner } from './partners.ts'
import type { Random } from './random.ts'
import type { Tx } from '../../server/db/database.ts'

/** A user of the demo data. */
export interface DemoUser {
  userId: string
  name: string
  position: string
  phoneNumber: string
  email: string
  affiliationCode: string
  roleCode: string
  approvalCode: string
  isPasswordTemporary: boolean
  validFrom: string | null
  validTo: string | null
  /** Partner of the user's affiliation; null until the account is approved. */
  partner: DemoPartner | null
  language: 'ko' | 'en'
  createdAt: Date
  /** Null if the user has never logged in. */
  lastLoginAt: Date | null
  /** Null for a user who has not withdrawn. */
  withdrawnAt: Date | null
}

/** Positions, with weights. */
const POSITIONS = [
  ['사원', 30],
  ['주임', 16],
  ['대리', 20],
  ['과장', 14],
  ['차장', 9],
  ['부장', 7],
  ['이사', 4],
] as const

/** Roles of users other than the demo accounts, with weights. */
const ROLES = [
  [ROLE.user, 285],
  [ROLE.hr, 9],
  [ROLE.admin, 3],
] as const

/** States of accounts other than the demo accounts, with weights. */
const STATES: readonly (readonly [state: DemoState, weight: number])[] = [
  ['ready', 82],
  ['unapproved', 9],
  ['expired', 4],
  ['temporary', 2],
  ['withdrawn', 2],
  ['not-yet-valid', 1],
]

/**
 * Creates `count` users, oldest registration first. They include the demo accounts and users with unusual names.
 * @throws {Error} if an affiliation of an approved user has no partner
 */
export function makeUsers(
  random: Random,
  now: Date,
  count: number,
  partners: readonly DemoPartner[],
): DemoUser[] {
  const phones = new Set<string>()
  const taken = new Set([...demoAccounts, ...UNUSUAL_NAMES].map((person) => person.userId))
  const known = demoAccounts.map((account) => ({ ...account, language: 'ko' as const }))
  const unusual = UNUSUAL_NAMES.map((person) => ({ ...person, ...rankAndState(random), roleCode: ROLE.user }))
  const others = Array.from({ length: count - known.length - unusual.length }, () => ({
    ...personName(random, taken),
    ...rankAndState(random),
    roleCode: random.weighted(ROLES),
    language: random.chance(0.02) ? ('en' as const) : ('ko' as const),
  }))
  return [...known, ...unusual, ...others]
    .map((person, index) => {
      const isKnown = index < known.length
      const affiliationCode = isKnown
        ? HEAD_OFFICE
        : (AFFILIATIONS[index % AFFILIATIONS.length] ?? HEAD_OFFICE)
      const { userId, name, position, roleCode, language } = person
      return {
        userId,
        name,
        position,
        roleCode,
        language,
        affiliationCode,
        phoneNumber: phoneNumber(random, phones),
        email: `${userId}@${isKnown ? DEMO_DOMAIN : domainOf(affiliationCode)}`,
        ...history(random, now, person.state, isKnown),
        partner:
          person.state === 'unapproved'
            ? null
            : random.pick(
                partners.filter((partner, at) =>
                  isKnown ? at === 0 : partner.affiliationCode === affiliationCode,
                ),
              ),
      }
    })
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

/** Returns a random position and state. */
function rankAndState(random: Random): { position: string; state: DemoState } {
  return { position: random.weighted(POSITIONS), state: random.weighted(STATES) }
}

/**
 * Returns a random name and an unused login ID.
 * @param taken login IDs in use, to which it adds the new one
 */
function personName(random: Random, taken: Set<string>): { name: string; userId: string } {
  const family = random.weighted(FAMILY_NAMES)
  const given = random.pick(GIVEN_NAMES)
  // Namesakes get a number, as in any company.
  const plain = `${given.roman}.${family.roman}`
  let userId = plain
  for (let number = 2; taken.has(userId); number += 1) userId = `${plain}${number}`
  taken.add(userId)
  return { name: family.ko + given.ko, userId }
}

/**
 * Returns an unused mobile number.
 * @param taken numbers in use, to which it adds the new one
 */
function phoneNumber(random: Random, taken: Set<string>): string {
  const number = `010${random.int(2000, 9999)}${String(random.int(0, 9999)).padStart(4, '0')}`
  if (taken.has(number)) return phoneNumber(random, taken)
  taken.add(number)
  return number
}

/** Returns the mail domain of an affiliation: DEMO_DOMAIN except for the family and partner companies. */
function domainOf(affiliationCode: string): string {
  if (affiliationCode === 'BEL007') return 'family.example'
  return affiliationCode === 'BEL008' ? 'partner.example' : DEMO_DOMAIN
}

/** The parts of a user that depend on the state of the account. */
type History = Pick<
  DemoUser,
  | 'approvalCode'
  | 'isPasswordTemporary'
  | 'validFrom'
  | 'validTo'
  | 'createdAt'
  | 'lastLoginAt'
  | 'withdrawnAt'
>

/**
 * Creates the history of an account since its registration, so that a login ends as its state says.
 * @param isKnown true for the demo accounts, which are older
 */
function history(random: Random, now: Date, state: DemoState, isKnown: boolean): History {
  const isRecent = state === 'unapproved' || state === 'not-yet-valid'
  // The accounts to try things with have been there long enough to have written and requested something.
  const createdAt = random.moment(
    isRecent ? daysAfter(now, -30) : yearsBefore(now, 3),
    daysAfter(now, isRecent ? -1 : isKnown ? -400 : -60),
  )
  const login = state === 'temporary' ? null : random.moment(daysAfter(createdAt, 1), daysAfter(now, -1))
  const approved: History = {
    approvalCode: APPROVAL.approved,
    isPasswordTemporary: state === 'temporary',
    validFrom: calendarDay(createdAt),
    validTo: calendarDay(daysAfter(now, random.int(60, 1000))),
    createdAt,
    lastLoginAt: login,
    withdrawnAt: null,
  }
  switch (state) {
    case 'unapproved':
      return {
        ...approved,
        approvalCode: APPROVAL.notApproved,
        validFrom: null,
        validTo: null,
        lastLoginAt: null,
      }
    case 'not-yet-valid':
      return { ...approved, validFrom: calendarDay(daysAfter(now, 30)), lastLoginAt: null }
    case 'expired':
      return { ...approved, validTo: calendarDay(daysAfter(now, -random.int(3, 50))), lastLoginAt: null }
    case 'withdrawn':
      return {
        ...approved,
        lastLoginAt: null,
        withdrawnAt: random.moment(daysAfter(now, -50), daysAfter(now, -1)),
      }
    default:
      return approved
  }
}

/**
 * Writes one approval request per user, except approved demo accounts. Most were approved within some days, and some of
 * the users who still wait were rejected before.
 * @param idOf returns users.id of a user
 */
export async function writeRequests(
  tx: Tx,
  users: readonly DemoUser[],
  idOf: (user: DemoUser) => string,
): Promise<void> {
  const [administrator, hr] = [ROLE.admin, ROLE.hr].map((role) => {
    const user = users.find(({ roleCode, userId }) => roleCode === role && isDemoAccount(userId))
    return user && idOf(user)
  })
  const asked = users.filter(
    (user) => !isDemoAccount(user.userId) || user.approvalCode === APPROVAL.notApproved,
  )
  const waiting = asked.filter((user) => user.approvalCode === APPROVAL.notApproved)
  await tx
    .insertInto('approvalRequests')
    .values([
      ...waiting
        .filter((_, index) => index % 6 === 2)
        .map((user) => ({
          ...person(user),
          userId: null,
          state: 'refused' as const,
          requestedAt: daysAfter(user.createdAt, -3),
          decidedBy: hr ?? null,
          decidedAt: daysAfter(user.createdAt, -2),
          reason: '소속을 잘못 선택하셨습니다. 소속을 확인한 후 다시 신청해주세요.',
        })),
      ...asked.map((user) => {
        const request = { ...person(user), userId: idOf(user), requestedAt: user.createdAt }
        if (user.approvalCode === APPROVAL.notApproved) return request
        return {
          ...request,
          state: 'approved' as const,
          decidedBy: (user.roleCode === ROLE.admin ? administrator : hr) ?? null,
          decidedAt: new Date(user.createdAt.getTime() + 5 * 60 * 60 * 1000),
        }
      }),
    ])
    .execute()
}

/** Returns the columns of a request about a user. */
const person = ({ userId, name, email, affiliationCode }: DemoUser) => ({
  loginId: userId,
  name,
  email,
  affiliationCode,
})

/** Returns whether a user ID is one of the fixed demo accounts. */
function isDemoAccount(userId: string): boolean {
  return demoAccounts.some((account) => account.userId === userId)
}
