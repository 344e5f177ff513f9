import type { Review } from './review.page.tsx'
import { useQuarterName, useReviewTexts } from './review-texts.ts'
import { useRoleTexts } from '../roles/role-texts.ts'

/** How many things of a review are above the rights of who looks at it. */
export const hiddenIn = ({ itemCount, roles, people }: Review) => itemCount - roles.length - people.length

/** What is said of a review as a whole, on the screen and in its report. */
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

/** What a role may do, in words. */
export function useFunctionsText(): (item: Pick<Review['roles'][number], 'functions'>) => string {
  const { functions: names } = useRoleTexts()
  const { noFunctions } = useReviewTexts().quarter
  return ({ functions }) => functions.map((name) => names[name][0]).join(', ') || noFunctions
}

/** When somebody logged in last, or that they cannot. */
export function useLoginText(): (person: Review['people'][number]) => string {
  const t = useReviewTexts().quarter
  return ({ mayLogIn, lastLoginAt }) => {
    const last = lastLoginAt === '' ? t.neverLoggedIn : t.lastLogin(lastLoginAt.slice(0, 10))
    return mayLogIn ? last : `${t.locked} · ${last}`
  }
}
