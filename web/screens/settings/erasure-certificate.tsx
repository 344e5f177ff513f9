import report from '../../ui/report.module.css'
import { type Erasure, useErasureFacts } from './erasure.page.tsx'
import { keptText, useRetentionTexts } from './retention-texts.ts'

/** The certificate of destruction, which is what the page of a period prints (rules/retention#certificate). */
export function ErasureCertificate({ erasure }: { erasure: Erasure }) {
  const t = useRetentionTexts()
  const facts = useErasureFacts(erasure)
  const { certificate } = t
  const { kind, erasedCount, erasureMethod, keptFor, REASON, firstAt, lastAt } = certificate.columns
  return (
    <article className={report.report}>
      <h1>{certificate.title}</h1>
      <p>{certificate.statement}</p>
      <table>
        <tbody>
          {facts.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>{certificate.rows}</h2>
      {erasure.rows.length === 0 ? (
        <p>{certificate.empty}</p>
      ) : (
        <table>
          <thead>
            <tr>
              {[kind, erasedCount, erasureMethod, keptFor, REASON, firstAt, lastAt].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
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
      <p className={report.signature}>{certificate.signature}</p>
    </article>
  )
}
