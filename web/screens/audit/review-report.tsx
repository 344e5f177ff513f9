import { Report, ReportHead } from './report.tsx'
import styles from './report.module.css'
import { useFunctionsText, useLoginText, useReviewFacts } from './review-facts.ts'
import type { Review } from './review.page.tsx'
import { useQuarterName, useReviewTexts } from './review-texts.ts'

/** Shows the printed report of an access review, with all items and the full remarks; as a draft until it is signed. */
export function ReviewReport({ review }: { review: Review }) {
  const t = useReviewTexts().quarter
  const quarterName = useQuarterName()
  const facts = useReviewFacts(review)
  return (
    <Report
      title={t.report.title(quarterName(review.quarter))}
      draft={review.signedAt === '' && t.report.draft}
      facts={facts}
      signature={t.report.signature}
    >
      <h2>{t.roles}</h2>
      <RolesTable roles={review.roles} />
      <h2>{t.people}</h2>
      {review.people.length === 0 ? <p>{t.nobody}</p> : <PeopleTable people={review.people} />}
    </Report>
  )
}

/** Shows the roles of the review with the decisions about them. */
function RolesTable({ roles }: Pick<Review, 'roles'>) {
  const t = useReviewTexts().quarter
  const functionsText = useFunctionsText()
  return (
    <table>
      <ReportHead names={Object.values(t.roleColumns)} />
      <tbody>
        {roles.map((role) => (
          <tr key={role.itemId}>
            <th scope="row">{role.roleName}</th>
            <td>{functionsText(role)}</td>
            <td>{t.users(role.userCount.toLocaleString())}</td>
            <DecisionCells item={role} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Shows the users of the review with the decisions about them. */
function PeopleTable({ people }: Pick<Review, 'people'>) {
  const t = useReviewTexts().quarter
  const loginText = useLoginText()
  return (
    <table>
      <ReportHead names={Object.values(t.peopleColumns)} />
      <tbody>
        {people.map((person) => (
          <tr key={person.itemId}>
            <th scope="row">
              {person.name} ({person.userId})
            </th>
            <td>{person.roleName}</td>
            <td>{loginText(person)}</td>
            <DecisionCells item={person} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Shows the cells of a decision, its reason, and its reviewer. */
function DecisionCells({ item }: { item: Review['roles'][number] | Review['people'][number] }) {
  const t = useReviewTexts().quarter
  return (
    <>
      <td>{t.decisions[item.decision]}</td>
      <td className={styles.remark}>{item.remark}</td>
      <td>
        {item.remarkerName} {item.remarkedAt.slice(0, 10)} {item.ownRemark && `(${t.own})`}
      </td>
    </>
  )
}
