import * as z from 'zod/mini'
import { OVERLAP_DAYS, TOKEN_DAYS, TOKEN_NAME_LENGTH, tokenName } from '../../../contract/keys.ts'
import type { CallErrorCode } from '../../api/call-error.ts'
import { BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import layout from '../../ui/layout.module.css'
import { useTokenTexts } from './token-texts.ts'

const days = z.pipe(z.string(), z.transform(Number))
const made = z.strictObject({ name: tokenName, validDays: days })
const rolled = z.strictObject({ validDays: days, overlapDays: days })

/** Input for a new token. */
export type NewToken = z.output<typeof made>
/** Input for the rotation of a token. */
export type Rollover = z.output<typeof rolled>

interface Props<Values> {
  title: string
  submitLabel: string
  act: (values: Values) => Promise<void>
  onClose: () => void
}

interface MakeProps extends Props<NewToken> {
  nameLabel: string
  /** The name is in use already. */
  nameTaken: CallErrorCode
}

/** Asks for the name and the end of a new token. */
export function MakeToken({ nameLabel, nameTaken, act, ...dialog }: MakeProps) {
  const form = useSchemaForm(made, { name: '', validDays: String(TOKEN_DAYS.usual) }, 'onSubmit')
  const submit = (values: NewToken) =>
    act(values).catch((error: unknown) =>
      showRefusalOnField(error, form, { [nameTaken]: 'name', INPUT_INVALID: 'name' }),
    )
  return (
    <FormDialog {...dialog} about="" form={form} onSubmit={submit} className={layout.stack}>
      <BoundText name="name" label={nameLabel} isRequired maxLength={TOKEN_NAME_LENGTH} autoComplete="off" />
      <ValidDays />
    </FormDialog>
  )
}

/** Asks for the expiry date of the new token, and how long the previous one stays valid. */
export function RollToken({ act, ...dialog }: Props<Rollover>) {
  const t = useTokenTexts()
  const usual = { validDays: String(TOKEN_DAYS.usual), overlapDays: String(OVERLAP_DAYS.usual) }
  const form = useSchemaForm(rolled, usual, 'onSubmit')
  const submit = (values: Rollover) =>
    act(values).catch((error: unknown) => showRefusalOnField(error, form, {}))
  const overlaps = OVERLAP_DAYS.offered.map((n) => ({ value: String(n), label: t.overlap(n) }))
  return (
    <FormDialog {...dialog} about={dialog.title} form={form} onSubmit={submit} className={layout.stack}>
      <p>{t.rollText}</p>
      <ValidDays />
      <BoundSelect name="overlapDays" label={t.overlapDays} choices={fixedChoices(overlaps)} isRequired />
    </FormDialog>
  )
}

function ValidDays() {
  const t = useTokenTexts()
  const choices = TOKEN_DAYS.offered.map((n) => ({ value: String(n), label: t.days(n) }))
  return <BoundSelect name="validDays" label={t.validDays} choices={fixedChoices(choices)} isRequired />
}
