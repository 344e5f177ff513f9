import { type FormEvent, useState } from 'react'
import { type Choices, fixedChoices, useChoiceTexts } from '../forms/choices.ts'
import { useDateTexts } from '../forms/date-texts.ts'
import { usePortalMessages } from '../language.tsx'
import { useOpenInput } from '../unsaved-input.ts'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/date-field.tsx'
import { FormActions, FormGrid } from '../ui/form-grid.tsx'
import { Dialog } from '../ui/lazy-dialog.tsx'
import { SelectField } from '../ui/select-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import layout from '../ui/layout.module.css'
import type { ImportWords } from './import-parts.tsx'
import type { ColumnAnswer, ColumnMapping, ColumnQuestion } from './map-columns.ts'

/** An open question about the columns of a file. `answer` closes it; null cancels the import of the file. */
interface Asked<Column extends string> {
  question: ColumnQuestion<Column>
  answer: (answer: ColumnAnswer<Column> | null) => void
}

/**
 * Returns `ask`, which asks the user about the columns of a file and waits for the answer, and `asked`, the open
 * question. While `asked` is not null, the caller must render a `ColumnDialog` for it.
 */
export function useColumnQuestion<Column extends string>() {
  const [asked, setAsked] = useState<Asked<Column> | null>(null)
  const ask: ColumnMapping<Column>['ask'] = (question) =>
    new Promise((resolve) => {
      setAsked({
        question,
        answer: (answer) => {
          setAsked(null)
          resolve(answer)
        },
      })
    })
  return { asked, ask }
}

/** A column of which the dialog asks one value for every row, if the file lacks it. */
export interface SharedColumn<Column extends string> {
  column: Column
  /** The options of a select; `date` for a date, and `text` for any text. */
  kind: Choices | 'date' | 'text'
  isOptional?: boolean | undefined
  /** The proposed value. */
  initial?: string | undefined
}

interface Props<Column extends string> {
  words: ImportWords
  headings: Readonly<Record<Column, string>>
  /** The columns for which the dialog takes a value if the file lacks them. */
  shared: readonly SharedColumn<Column>[]
  asked: Asked<Column>
}

/** Value of the option that ignores a column of the file. */
const IGNORED = 'ignored'

/**
 * Shows a dialog that asks which column of the import each column of a file fills (rules/users#columns-by-hand). A
 * column that is chosen again is taken from its earlier place. For each required column that no other fills, it
 * asks for a value for all rows, or for a column of the file that may fill another one too. Its buttons answer the
 * question or cancel it.
 */
export function ColumnDialog<Column extends string>({ words, headings, shared, asked }: Props<Column>) {
  const { question, answer } = asked
  const { titles, samples, required } = question
  const { forms, validation } = usePortalMessages()
  const t = words.mapping
  const texts = useChoiceTexts(fixedChoices([]))
  const [columns, setColumns] = useState(question.columns)
  const [values, setValues] = useState(
    () =>
      Object.fromEntries(shared.map(({ column, initial = '' }) => [column, initial])) as Partial<
        Record<Column, string>
      >,
  )
  const [copies, setCopies] = useState(question.copies)
  const [isTried, setTried] = useState(false)
  useOpenInput(true)
  const missing = required.filter((column) => !columns.includes(column))
  const asks = shared.filter(({ column }) => missing.includes(column))
  const unfilled = missing.filter((column) => !asks.some((one) => one.column === column))
  const isEmpty = ({ column, isOptional }: SharedColumn<Column>) => !isOptional && !values[column]
  const places = titles.flatMap((title, index) => {
    const sample = samples[index] ?? ''
    const label = [title || t.unnamed(index + 1), sample && t.sample(sample)].filter(Boolean).join(' · ')
    return `${title}${sample}` === '' ? [] : [{ value: String(index), label }]
  })
  const options = [
    { value: IGNORED, label: t.ignored },
    ...question.choices.map((column) => ({ value: column, label: headings[column] })),
  ]

  /** Sets the column that a column of the file fills, and takes it from its earlier place. */
  function choose(index: number, value: string): void {
    setColumns(
      columns.map((column, at) => {
        if (at === index) return question.choices.find((choice) => choice === value)
        return column === value ? undefined : column
      }),
    )
  }

  /** Answers the question unless a required column is still without a source; then shows errors. */
  function submit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    if (unfilled.some((column) => copies[column] === undefined) || asks.some(isEmpty)) return
    const given = asks.map(({ column }) => [column, values[column] ?? ''])
    const used = unfilled.map((column) => [column, copies[column]])
    answer({
      columns,
      copies: Object.fromEntries(used) as typeof copies,
      shared: Object.fromEntries(given) as typeof values,
    })
  }

  return (
    <Dialog title={t.title} width="wide" closeLabel={forms.close} onClose={() => answer(null)}>
      <form className={layout.stack} noValidate onSubmit={submit}>
        <p tabIndex={-1} data-first-focus>
          {t.lead}
        </p>
        <FormGrid columns={1}>
          {titles.map(
            (title, index) =>
              `${title}${samples[index] ?? ''}` !== '' && (
                <SelectField
                  // Headings may repeat.
                  // oxlint-disable-next-line react/no-array-index-key
                  key={index}
                  {...texts}
                  label={title || t.unnamed(index + 1)}
                  description={samples[index] && t.sample(samples[index])}
                  value={columns[index] ?? IGNORED}
                  options={options}
                  onChange={(value) => choose(index, value)}
                />
              ),
          )}
        </FormGrid>
        {unfilled.length > 0 && <p className={layout.warning}>{t.missing}</p>}
        <FormGrid columns={1}>
          {unfilled.map((column) => (
            <SelectField
              key={column}
              {...texts}
              label={headings[column]}
              value={String(copies[column] ?? '')}
              options={places}
              errorMessage={isTried && copies[column] === undefined ? validation.required : undefined}
              onChange={(value) => setCopies({ ...copies, [column]: Number(value) })}
              isRequired
            />
          ))}
        </FormGrid>
        {asks.length > 0 && <p>{t.sharedLead}</p>}
        <FormGrid columns={1}>
          {asks.map((one) => (
            <SharedField
              key={one.column}
              shared={one}
              label={headings[one.column]}
              value={values[one.column] ?? ''}
              errorMessage={isTried && isEmpty(one) ? validation.required : undefined}
              onChange={(value) => setValues({ ...values, [one.column]: value })}
            />
          ))}
        </FormGrid>
        <FormActions>
          <Button onClick={() => answer(null)}>{forms.cancel}</Button>
          <Button type="submit" variant="primary">
            {t.submit}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}

interface SharedFieldProps<Column extends string> {
  shared: SharedColumn<Column>
  label: string
  value: string
  errorMessage: string | undefined
  onChange: (value: string) => void
}

/** Shows a field for the value of a column in every row. */
function SharedField<Column extends string>({ shared, ...field }: SharedFieldProps<Column>) {
  const { kind, isOptional } = shared
  const isChoice = typeof kind !== 'string'
  const dates = useDateTexts()
  const texts = useChoiceTexts(isChoice ? kind : fixedChoices([]))
  const props = { ...field, isRequired: !isOptional }
  if (isChoice) {
    return <SelectField {...props} {...texts} options={kind.options} isLoading={kind.isLoading} />
  }
  return kind === 'date' ? <DateField {...props} {...dates} /> : <TextField {...props} />
}
