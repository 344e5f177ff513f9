import { Report, ReportHead } from '../audit/report.tsx'
import { useErasureFacts } from './erasure-facts.ts'
import type { Erasure } from './erasure.page.tsx'
import { keptText, useRetentionTexts } from './retention-texts.ts'

/** The certificate of destruction, which is what the page of a period prints (rules/retention#certificate). */
export function ErasureCertificate({ erasure }: { erasure: Erasure }) {
  const t = useRetentionTexts()
  const facts = useErasureFacts(erasure)
  const { certificate } = t
  const { kind, erasedCount, erasureMethod, keptFor, reason, firstAt, lastAt } = certificate.columns
  return (
    <Report title={certificate.title} draft={false} facts={facts} signature={certificate.signature}>
      <p>{certificate.statement}</p>
      <h2>{certificate.rows}</h2>
      {erasure.rows.length === 0 ? (
        <p>{certificate.empty}</p>
      ) : (
        <table>
          <ReportHead names={[kind, erasedCount, erasureMethod, keptFor, reason, firstAt, lastAt]} />
          <tbody>
            {erasure.rows.map((row) => (
              <tr key={`${row.kind} ${row.keptFor}`}>
                <th scope="row">{t.kinds[row.kind]}</th>
                <td>{certificate.count(row.erasedCount.toLocaleString())}</td>
                <td>{certificate.methods[row.erasureMethod]}</td>
                <td>{t.keptSince(t.since[row.kind], keptText(t, row.kind, row.keptFor))}</td>
                <td>{t.reasons[row.kind]}</td>
                <td>{row.firstAt}</td>
                <td>{row.lastAt}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Report>
  )
}
