import type { Review } from './review.page.tsx'
import { useQuarterName, useReviewTexts } from './review-texts.ts'
import { useRoleTexts } from '../roles/role-texts.ts'

/** Returns the number of items in an access review that the viewer may not see. A viewer with one cannot sign. */
export const hiddenIn = ({ itemCount, roles, people }: Review) => itemCount - roles.length - people.length

/**
 * Returns the facts about an access review as a whole, with their names, for the screen and its report. Signature and
 * opinion are missing until it has them.
 */
export function useReviewFacts(review: Review): (readonly [name: string, value: string])[] {
  const t = useReviewTexts()
  const quarterName = useQuarterName()
  const { facts: names, by, notTaken, count } = t.quarter
  const { takenAt, signedAt, opinion, itemCount, decidedCount } = review
  const signer = `${review.signerName} (${review.signerId})`
  return [
    [names.quarter, quarterName(review.quarter)],
    [names.state, t.states[review.reviewState]],
    [names.taken, takenAt === '' ? notTaken : by(takenAt, review.takerName)],
    [names.items, count(itemCount.toLocaleString())],
    [names.decided, count(decidedCount.toLocaleString())],
    ...(signedAt === '' ? [] : [[names.signed, signedAt] as const, [names.signer, signer] as const]),
    ...(opinion === '' ? [] : [[names.opinion, opinion] as const]),
  ]
}

/** Returns a function that lists the names of a role's permissions, or says that it has none. */
export function useFunctionsText(): (item: Pick<Review['roles'][number], 'functions'>) => string {
  const { functions: names } = useRoleTexts()
  const { noFunctions } = useReviewTexts().quarter
  return ({ functions }) => functions.map((name) => names[name][0]).join(', ') || noFunctions
}

/**
 * Returns a function that returns the day of a user's last login, or that there was none, and whether the user cannot
 * log in.
 */
export function useLoginText(): (person: Review['people'][number]) => string {
  const t = useReviewTexts().quarter
  return ({ mayLogIn, lastLoginAt }) => {
    const last = lastLoginAt === '' ? t.neverLoggedIn : t.lastLogin(lastLoginAt.slice(0, 10))
    return mayLogIn ? last : `${t.locked} · ${last}`
  }
}
