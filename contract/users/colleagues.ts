import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { teamFilter } from '../teams.ts'
import { codeFilter, filter, flag, paging, totalCount, userId } from '../fields.ts'

/** Default rows per page of the directory (rules/colleagues#directory). */
export const COLLEAGUES_PER_PAGE = 10

/**
 * The most directory entries that one user may request in a day (rules/colleagues#entries-a-day). A page
 * counts with its `perPage`, a profile card as one.
 */
export const COLLEAGUES_A_DAY = 5000

/** Fields of a colleague that all users see, and those that the colleague shares with the caller. */
const colleague = {
  name: z.string(),
  affiliationName: z.string(),
  /** Path of the main team; empty without one. */
  teamName: z.string(),
  position: z.string(),
  /**
   * Empty unless the colleague shows it to the caller; the same for the email (rules/colleagues#what-colleagues-see).
   */
  phoneNumber: z.string(),
  email: z.string(),
  /** The fields that colleagues see, without empty ones (rules/users#custom-fields). */
  details: z.array(z.object({ name: z.string(), value: z.string() })),
}

/**
 * Searches colleagues by name, or by a phone number or email that they share with the caller, and by affiliation and
 * team. Users who may not log in today are not listed, and no ID is returned (rules/colleagues#directory). A caller of
 * another company finds only colleagues of their own company. COLLEAGUES_TOO_MANY after `COLLEAGUES_A_DAY` entries in a
 * day.
 */
export const listColleagues = endpoint({
  path: '/stm/v1/colleagues',
  summary: 'Find colleagues',
  title: { ko: '임직원 조회', en: 'Searched colleagues' },
  access: 'signed-in',
  scope: 'colleagues:read',
  input: z.strictObject({
    /** Any part of a name, or of a phone number or email that its owner shows. */
    keyword: filter(),
    affiliationCode: codeFilter(),
    /** Finds additional members too, and those of the teams below it (rules/teams#members). */
    teamId: teamFilter(),
    ...paging(COLLEAGUES_PER_PAGE),
  }),
  output: z.object({
    totalCount,
    colleagues: z.array(z.object({ rowNumber: z.number(), ...colleague })),
  }),
  errors: ['COLLEAGUES_TOO_MANY'],
  audit: 'none',
  personal: ['search', 'told'],
  perPerson: 'heavy',
})

/**
 * Presence of a colleague: PRESENT may log in today, WITHDRAWN has a withdrawn account, AWAY is anyone else and an
 * unknown ID. Only the card of a present one has data.
 */
export const COLLEAGUE = { present: 'PRESENT', away: 'AWAY', withdrawn: 'WITHDRAWN' } as const

/**
 * Returns the profile card of a user who is named on a page (rules/colleagues#profile-card). An unknown ID is AWAY; for
 * a caller of another company, so are users outside it. Only PRESENT has fields in addition to `state` and `editable`.
 * COLLEAGUES_TOO_MANY after `COLLEAGUES_A_DAY` entries in a day.
 */
export const getColleague = endpoint({
  path: '/stm/v1/get/colleague',
  summary: 'Read the profile of a colleague',
  title: { ko: '동료 프로필 조회', en: 'Viewed a profile' },
  access: 'signed-in',
  scope: 'colleagues:read',
  input: z.strictObject({ userId }),
  output: z.object({
    /** AWAY for an ID that does not exist. */
    state: z.enum(Object.values(COLLEAGUE)),
    /** Left out unless the state is PRESENT. */
    ...z.partial(z.object(colleague)).shape,
    /** Additional teams by affiliation and path; left out like the others. */
    otherTeamNames: z.optional(z.array(z.string())),
    /** True if the caller may administer the account. */
    editable: flag,
  }),
  errors: ['COLLEAGUES_TOO_MANY'],
  audit: 'none',
  personal: ['read', 'in.userId'],
})

/**
 * Schema of the choices of a user to show phone number and email to all colleagues. Without them only colleagues of the
 * same affiliation see them, unless they are hidden.
 */
const sharing = {
  /** True if all colleagues see it; otherwise those of the own affiliation do, unless it is hidden. */
  phoneShown: flag,
  emailShown: flag,
}

/** Schema of the choices of a user to hide phone number and email from everyone except administrators. */
const hidden = {
  phoneHidden: flag,
  emailHidden: flag,
}

/** Returns whether colleagues see the caller's phone number and email (rules/colleagues#what-colleagues-see). */
export const getSharing = endpoint({
  path: '/stm/v1/get/sharing',
  summary: 'Read what colleagues see of me',
  title: { ko: '동료에게 보이는 정보 조회', en: 'Viewed what colleagues see' },
  access: 'signed-in',
  output: z.object({ ...sharing, ...hidden }),
  audit: 'none',
  personal: ['read', 'own'],
})

/**
 * Changes whether colleagues see the caller's phone number and email. `phoneHidden` and `emailHidden` may be left out:
 * they stay then, or become false if the field is shown. Needs password re-entry, else PASSWORD_CHECK_REQUIRED.
 */
export const changeSharing = endpoint({
  path: '/stm/v1/upd/sharing',
  summary: 'Choose what colleagues see of me',
  title: { ko: '동료에게 보이는 정보 변경', en: 'Changed what colleagues see' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject({ ...sharing, ...z.partial(z.object(hidden)).shape }),
  audit: 'user.share',
  personal: ['change', 'own'],
})
