import { useInspectionFacts, useLimitText, whoOf } from './inspection-facts.tsx'
import type { Inspection } from './inspection.page.tsx'
import { useInspectionTexts, useMonthName } from './inspection-texts.ts'
import { Report, ReportHead } from './report.tsx'
import styles from './report.module.css'

/** Shows the printed report of an inspection, with all findings and the full remarks; as a draft until it is signed. */
export function InspectionReport({ inspection }: { inspection: Inspection }) {
  const t = useInspectionTexts()
  const monthName = useMonthName()
  const facts = useInspectionFacts(inspection)
  const { rules, findings, signedAt } = inspection
  const { report } = t.month
  return (
    <Report
      title={report.title(monthName(inspection.month))}
      draft={signedAt === '' && report.draft}
      facts={facts}
      signature={report.signature}
    >
      <h2>{t.month.results}</h2>
      <ResultsTable rules={rules} />
      {findings.length > 0 && (
        <>
          <h2>{report.findings}</h2>
          <FindingsTable inspection={inspection} />
        </>
      )}
    </Report>
  )
}

/** Shows the rules with their limits and numbers of findings; a rule that is off has no number. */
function ResultsTable({ rules }: Pick<Inspection, 'rules'>) {
  const { ruleNames, month: t } = useInspectionTexts()
  const limitText = useLimitText()
  const { rule, limit, findingCount } = t.ruleColumns
  return (
    <table>
      <ReportHead names={[rule, limit, findingCount]} />
      <tbody>
        {rules.map((one) => (
          <tr key={one.rule}>
            <th scope="row">{ruleNames[one.rule]}</th>
            <td>{limitText(one)}</td>
            <td>{one.enabled && (one.findingCount === 0 ? t.nothing : one.findingCount.toLocaleString())}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/**
 * Shows all findings with verdict and remark, in the order of the rules. Marks a remark on an action of its own author.
 */
function FindingsTable({ inspection: { rules, findings } }: { inspection: Inspection }) {
  const { ruleNames, amounts, month: t } = useInspectionTexts()
  const { foundDay, who, amount, verdict, remark, remarkerName } = t.findingColumns
  return (
    <table>
      <ReportHead names={[t.ruleColumns.rule, foundDay, who, amount, verdict, remark, remarkerName]} />
      <tbody>
        {rules
          .flatMap(({ rule }) => findings.filter((finding) => finding.rule === rule))
          .map((one) => (
            <tr key={one.findingId}>
              <td>{ruleNames[one.rule]}</td>
              <td>{one.foundDay}</td>
              <td>{whoOf(one)}</td>
              <td>{amounts[one.rule](one.amount.toLocaleString())}</td>
              <td>{t.verdicts[one.verdict]}</td>
              <td className={styles.remark}>{one.remark}</td>
              <td>
                {one.remarkerName} {one.ownRemark && `(${t.own})`}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
