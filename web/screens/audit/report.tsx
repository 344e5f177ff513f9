import type { ReactNode } from 'react'
import styles from './report.module.css'

/** Title, facts and signature of a report. */
interface Props {
  title: string
  /** Text that marks a report as not signed; false for a signed one. */
  draft: string | false
  facts: readonly (readonly [name: string, value: string])[]
  signature: string
  children: ReactNode
}

/**
 * Shows the printed version of a page: its facts, the children, and space for a signature (`signature` labels it). The
 * screen hides it.
 */
export function Report({ title, draft, facts, signature, children }: Props) {
  return (
    <article className={styles.report}>
      <h1>{title}</h1>
      {draft !== false && <p>{draft}</p>}
      <table>
        <tbody>
          {facts.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={styles.remark}>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {children}
      <p className={styles.signature}>{signature}</p>
    </article>
  )
}

/** Shows the header row of a table in a report. */
export function ReportHead({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}
