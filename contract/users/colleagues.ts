import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { codeFilter, filter, flag, paging, totalCount, userId } from '../fields.ts'

/** The directory shows 10 people a page (rules/colleagues#directory). */
export const COLLEAGUES_PER_PAGE = 10

/**
 * How many entries of the directory one person may ask for in a day, a card being one (rules/colleagues#entries-a-day).
 */
export const COLLEAGUES_A_DAY = 5000

/** What everybody sees of a colleague, and what the colleague allows. */
const colleague = {
  name: z.string(),
  affiliationName: z.string(),
  position: z.string(),
  /** Empty unless it is shown to the caller, as is the e-mail (rules/colleagues#what-colleagues-see). */
  phoneNumber: z.string(),
  email: z.string(),
}

/** Finds colleagues, by name. Who may not log in today is in no answer; nobody's ID is (rules/colleagues#directory). */
export const listColleagues = endpoint({
  path: '/stm/v1/colleagues',
  summary: 'Find colleagues',
  title: { ko: '임직원 찾기', en: 'Looked for colleagues' },
  access: 'signed-in',
  input: z.strictObject({
    /** Any part of a name, or of a phone number or e-mail that its owner shows. */
    keyword: filter(),
    affiliationCode: codeFilter(),
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

/** Whether a person is a colleague still: of all but those who are, a card says nothing. */
export const COLLEAGUE = { present: 'PRESENT', away: 'AWAY', withdrawn: 'WITHDRAWN' } as const

/** The profile card of whoever is named somewhere (rules/colleagues#profile-card). */
export const getColleague = endpoint({
  path: '/stm/v1/get/colleague',
  summary: 'Who a colleague is',
  title: { ko: '동료 프로필 열기', en: 'Opened a profile' },
  access: 'signed-in',
  input: z.strictObject({ userId }),
  output: z.object({
    /** An ID that nobody has is away. */
    state: z.enum(Object.values(COLLEAGUE)),
    /** There while the person is present. */
    ...z.partial(z.object(colleague)).shape,
    /** The caller may administer the account. */
    editable: flag,
  }),
  errors: ['COLLEAGUES_TOO_MANY'],
  audit: 'none',
  personal: ['read', 'in.userId'],
  perPerson: 'read',
})

const sharing = {
  phoneShown: flag,
  emailShown: flag,
}

/** What colleagues see of the caller beside name, affiliation and position (rules/colleagues#what-colleagues-see). */
export const getSharing = endpoint({
  path: '/stm/v1/get/sharing',
  summary: 'What colleagues see of me',
  title: { ko: '동료에게 보이는 정보 열기', en: 'Opened what colleagues see' },
  access: 'signed-in',
  input: z.strictObject({}),
  output: z.object(sharing),
  errors: [],
  audit: 'none',
  personal: ['read', 'own'],
  perPerson: 'read',
})

/** Changes that, behind the password gate like every change of one's own account. */
export const changeSharing = endpoint({
  path: '/stm/v1/upd/sharing',
  summary: 'Choose what colleagues see of me',
  title: { ko: '동료에게 보이는 정보 변경', en: 'Changed what colleagues see' },
  access: 'signed-in',
  confirmed: 'gate',
  input: z.strictObject(sharing),
  output: z.object({}),
  errors: [],
  audit: 'user.share',
  personal: ['change', 'own'],
  perPerson: 'write',
})
