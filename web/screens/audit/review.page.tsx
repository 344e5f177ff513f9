import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useSearch } from '@tanstack/react-router'
import { getReview, listReviews, signReview, takeRights } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { invalidate, prefetch, query, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { useBusy } from '../../forms/use-busy.tsx'
import { Crumbs } from '../../layout/breadcrumbs.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import layout from '../../ui/layout.module.css'
import { ReviewReport } from './review-report.tsx'
import { useQuarterName, useReviewTexts } from './review-texts.ts'
import { hiddenIn, useReviewFacts } from './review-facts.ts'
import { PeopleCard, RolesCard } from './rights-cards.tsx'
import { SignButton } from './sign-button.tsx'
import { REVIEW_TONES } from './tones.ts'
import { showToast } from '../../ui/toasts.ts'

/** The access review of a quarter, as the API returns it. */
export type Review = OutputOf<typeof getReview>

/** Query of the review of a quarter, YYYY-Qn. */
const reviewQuery = (quarter: string) => query(getReview, { quarter })

/** Prefetches the review of the quarter in the URL, if any. */
export function load({ quarter = '' }: { quarter?: string }): void {
  if (quarter !== '') void prefetch(reviewQuery(quarter))
}

/**
 * The page /right/quarter (rules/audit#review): the roles and the users with permissions in a quarter, the decision
 * about each, and the signature, with its printed report. Redirects to the list without a quarter.
 */
export default function ReviewOfQuarter() {
  const { titles } = usePortalMessages()
  const t = useReviewTexts().quarter
  const quarterName = useQuarterName()
  const { quarter = '' } = useSearch({ from: '/framed/right/quarter' })
  const found = useQuery({ ...reviewQuery(quarter), enabled: quarter !== '' })
  useShowRefusal(found.error)
  if (quarter === '') return <Navigate to="/right/review" replace />
  const review = found.data
  return (
    <>
      <div className={layout.onScreen}>
        <Page
          title={review === undefined ? titles.review : t.title(quarterName(review.quarter))}
          crumbs={<Crumbs list={<Link to="/right/review">{titles.reviews}</Link>} />}
          actions={review && <Actions review={review} />}
        >
          {review === undefined ? (
            <RecordStates query={found} title={t.overview} loading={t.loading} failed={t.failed} />
          ) : (
            <OpenReview review={review} />
          )}
        </Page>
      </div>
      {review && review.takenAt !== '' && <ReviewReport review={review} />}
    </>
  )
}

/** Makes the cached review and the list of reviews stale, and reads them again. */
const refresh = () => Promise.all([invalidate(getReview), invalidate(listReviews)])

/**
 * Shows the buttons of a review. Print: once permissions were recorded. Record the current permissions as its
 * items (again): while it is due, open or begun. Sign: only while it is begun; disabled while an item is undecided
 * or hidden from the viewer.
 */
function Actions({ review }: { review: Review }) {
  const t = useReviewTexts().quarter
  const { during, overlay } = useBusy()
  const take = useCall(takeRights)
  const sign = useCall(signReview)
  const { quarter, reviewState: state, itemCount, decidedCount } = review
  const isBegun = state === 'BEGUN'

  /**
   * Makes the server record the current permissions as the items of the review. Shows their number in a toast, or the
   * refusal in an alert. Reads the review again in both cases.
   */
  async function takeNow(): Promise<void> {
    try {
      const taken = await during(t.taking, () => take.mutateAsync({ quarter }))
      showToast(t.taken(taken.itemCount.toLocaleString()))
    } catch (error) {
      await showRefusal(error)
    }
    await refresh()
  }

  return (
    <>
      {review.takenAt !== '' && <Button onClick={() => window.print()}>{t.print}</Button>}
      {(isBegun || state === 'DUE' || state === 'OPEN') && (
        <Button variant={isBegun ? 'secondary' : 'primary'} onClick={() => void takeNow()}>
          {isBegun ? t.takeAgain : t.take}
        </Button>
      )}
      {isBegun && (
        <SignButton
          about={quarter}
          texts={t}
          isDisabled={decidedCount < itemCount || hiddenIn(review) > 0}
          sign={(opinion) => sign.mutateAsync({ quarter, itemCount, opinion })}
          refresh={refresh}
        />
      )}
      {overlay}
    </>
  )
}

/**
 * Shows the content of a review in any state: an overview with warnings about undecided and hidden items, and,
 * once permissions were recorded, a card of roles and one of users.
 */
function OpenReview({ review }: { review: Review }) {
  const t = useReviewTexts()
  const facts = useReviewFacts(review)
  const { reviewState: state, itemCount, decidedCount, takenAt } = review
  const left = itemCount - decidedCount
  const hidden = hiddenIn(review)
  return (
    <div className={layout.parts}>
      <Card title={t.quarter.overview} actions={<Badge tone={REVIEW_TONES[state]}>{t.states[state]}</Badge>}>
        <div className={layout.stack}>
          {(state === 'DUE' || state === 'OPEN') && <p className={layout.quiet}>{t.quarter.takeLead}</p>}
          {state === 'MISSED' && <p className={layout.quiet}>{t.quarter.missedLead}</p>}
          <FactList columns="many" facts={facts} />
          {state === 'BEGUN' && left > 0 && (
            <p className={layout.warning}>{t.quarter.openLeft(left.toLocaleString())}</p>
          )}
          {hidden > 0 && <p className={layout.warning}>{t.quarter.hidden(hidden.toLocaleString())}</p>}
        </div>
      </Card>
      {takenAt !== '' && (
        <>
          <RolesCard review={review} />
          <PeopleCard review={review} />
        </>
      )}
    </div>
  )
}
