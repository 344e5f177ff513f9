import { REQUIREMENTS } from '../../../contract/audit.ts'
import { REQUIREMENT_LAWS } from '../../../contract/law-references.ts'
import {
  isVerified,
  type Law,
  LAW_NAMES,
  LAWS,
  type LawKind,
  type LawName,
  sourceOf,
} from '../../../contract/laws.ts'
import type { PolicyTexts } from '../../../contract/messages/ko/policy.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { useState } from 'react'
import { columnsOf } from '../../lists/columns.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import layout from '../../ui/layout.module.css'
import { useLazyPart } from '../../ui/use-lazy-part.ts'
import type { LawNote } from './law-note-dialog.tsx'
import styles from './report.module.css'
import { ReportHead } from './report.tsx'

/** The company's texts and the language of the page. */
interface Props {
  notes: readonly LawNote[]
  t: PolicyTexts
  language: Language
}

/** Loads the code of the dialog that edits a note. */
const loadDialog = () => import('./law-note-dialog.tsx')

/** Badge tones of the kinds of entries, for `LawRegister`. */
const TONES = {
  duty: 'info',
  criterion: 'info',
  practice: 'neutral',
  outside: 'warning',
} as const satisfies Record<LawKind, string>

/** An entry of the register with its name. */
interface Entry extends Law {
  name: LawName
}

/** All entries of the register, in its order. The screen and the report list them. */
const ENTRIES: readonly Entry[] = LAW_NAMES.map((name) => ({ name, ...LAWS[name] }))

/**
 * Returns when the text of an entry came into force and when it was checked, or that it is not verified, a line each.
 */
function datesOf({ laws: t }: PolicyTexts, law: Law): string {
  const check = isVerified(law)
    ? t.verified(law.checked)
    : [t.unverified, ...(law.seen === 'earlier' ? [t.earlier] : []), law.checked].join(' · ')
  return `${t.inForce(law.inForce)}\n${check}`
}

/**
 * Returns the names of the requirements that check an entry, a line each. An entry outside the portal says so first;
 * without any requirement, another entry says that the portal meets it by design.
 */
function metBy(t: PolicyTexts, { name, kind }: Entry): string {
  const checks = REQUIREMENTS.filter((requirement) => REQUIREMENT_LAWS[requirement].includes(name))
  const names = checks.map((requirement) => t.requirements[requirement].name)
  if (kind === 'outside') return [t.laws.outside, ...names].join('\n')
  return names.join('\n') || t.laws.builtIn
}

/** Returns a text with the number of entries that are not verified. */
const unverifiedCount = ({ laws: t }: PolicyTexts) =>
  t.unverifiedCount(
    ENTRIES.filter((law) => !isVerified(law)).length.toLocaleString(),
    ENTRIES.length.toLocaleString(),
  )

/** Returns the company's basis and remark, a line each; '' if both are empty. */
function companyText({ companyBasis, companyRemark }: LawNote): string {
  return [companyBasis, companyRemark].filter((text) => text !== '').join('\n')
}

/** Returns the company's text on an entry; '' for none. */
function companyTextOf(notes: readonly LawNote[], name: LawName): string {
  const note = noteOf(notes, name)
  return note === undefined ? '' : companyText(note)
}

/** Returns the company's note on an entry; undefined for none. */
const noteOf = (notes: readonly LawNote[], name: LawName) => notes.find(({ law }) => law === name)

/** Shows a text with its line breaks. */
const linesOf = (text: string) => <span className={styles.remark}>{text}</span>

/**
 * Shows the register of laws (rules/audit#laws): duties, sources, dates, the requirements that check them, and the
 * company's own basis and remark, which the user can edit. An entry without a note has no button.
 */
export function LawRegister({ notes, t, language }: Props) {
  const [editing, setEditing] = useState<{ law: LawName; note: LawNote }>()
  const dialog = useLazyPart(loadDialog)
  const { laws } = t
  const { column } = columnsOf<Entry, keyof typeof laws.columns>(laws.columns)
  const columns = [
    column('duty', ({ duty }) => duty[language], { isRowHeader: true, wraps: 'words', width: 340 }),
    column('source', ({ name }) => sourceOf(name, language), { wraps: 'words' }),
    column('kind', ({ kind }) => <Badge tone={TONES[kind]}>{laws.kinds[kind]}</Badge>, {
      width: 130,
      align: 'center',
    }),
    column('dates', (law) => linesOf(datesOf(t, law)), { wraps: 'words' }),
    column('met', (law) => linesOf(metBy(t, law)), { wraps: 'words' }),
    column(
      'company',
      ({ name, duty }) => {
        const note = noteOf(notes, name)
        if (note === undefined) return null
        return (
          <div className={layout.stack}>
            {linesOf(companyText(note))}
            <Button
              size="small"
              aria-label={laws.editOf(duty[language])}
              onClick={() => {
                setEditing({ law: name, note })
                dialog.open()
              }}
            >
              {laws.edit}
            </Button>
          </div>
        )
      },
      { wraps: 'words' },
    ),
  ]
  return (
    <>
      <h2>{laws.title}</h2>
      <p className={layout.quiet}>
        {laws.lead} {unverifiedCount(t)}
      </p>
      <DataTable
        label={laws.list}
        columns={columns}
        rows={ENTRIES}
        getRowKey={({ name }) => name}
        rowCount={ENTRIES.length}
        state="given"
        empty={t.empty}
      />
      {editing && dialog.opened && (
        <dialog.opened.LawNoteDialog
          {...editing}
          t={t}
          language={language}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}

/** Shows the printed register of laws: the same columns as `LawRegister`, without buttons. */
export function LawReport({ notes, t, language }: Props) {
  const { columns, kinds, title, lead } = t.laws
  return (
    <>
      <h2>{title}</h2>
      <p>
        {lead} {unverifiedCount(t)}
      </p>
      <table>
        <ReportHead
          names={[columns.duty, columns.source, columns.kind, columns.dates, columns.met, columns.company]}
        />
        <tbody>
          {ENTRIES.map((law) => (
            <tr key={law.name}>
              <th scope="row">{law.duty[language]}</th>
              <td>{sourceOf(law.name, language)}</td>
              <td>{kinds[law.kind]}</td>
              <td className={styles.remark}>{datesOf(t, law)}</td>
              <td className={styles.remark}>{metBy(t, law)}</td>
              <td className={styles.remark}>{companyTextOf(notes, law.name)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
