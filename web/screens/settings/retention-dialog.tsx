import * as z from 'zod/mini'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { lineOrEmpty } from '../../../contract/fields.ts'
import {
  getRetention,
  RETENTION,
  RETENTION_KINDS,
  type RetentionKind,
  updateRetention,
} from '../../../contract/settings/retention.ts'
import { call } from '../../api/client.ts'
import { invalidate } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { useRetentionTexts } from './retention-texts.ts'

/** The saved retention settings. */
type Kept = OutputOf<typeof getRetention>

/** Returns the schema of a retention period as typed text, within the bounds of its kind. */
const digits = (kind: RetentionKind) => {
  const { min, max } = RETENTION[kind]
  return z.string().check(
    z.trim(),
    z.minLength(1, 'required'),
    z.refine(
      (text) => text === '' || (/^\d{1,5}$/.test(text) && Number(text) >= min && Number(text) <= max),
      `numberRange|${min}~${max}`,
    ),
  )
}

/** Schema of the dialog. */
const typed = z.strictObject({
  keptFor: z.strictObject(
    Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, digits(kind)])) as Record<
      RetentionKind,
      ReturnType<typeof digits>
    >,
  ),
  officerName: lineOrEmpty(100),
  officerContact: lineOrEmpty(200),
})
/** Input of the dialog. */
type Values = z.input<typeof typed>

/** Returns the values of the form for saved settings. */
const valuesOf = ({ kinds, officerName, officerContact }: Kept): Values => ({
  keptFor: Object.fromEntries(kinds.map(({ kind, keptFor }) => [kind, String(keptFor)])) as Values['keptFor'],
  officerName,
  officerContact,
})

/**
 * Shows the dialog that edits how long each kind of data is kept, in days or months within its bounds, and the officer
 * of the erasure (`updateRetention`). An edit conflict closes it, and the page shows the saved settings.
 */
export function RetentionDialog({ record, onClose }: { record: Kept; onClose: () => void }) {
  const t = useRetentionTexts()
  const dialog = useDialogForm({
    schema: typed,
    initial: valuesOf(record),
    submit: ({ keptFor, ...officer }) =>
      call(updateRetention, {
        kinds: RETENTION_KINDS.map((kind) => ({ kind, keptFor: Number(keptFor[kind]) })),
        ...officer,
        version: record.version,
      }),
    done: () => t.saved,
    // After a conflict the user sees the saved settings first.
    onChanged: () => invalidate(getRetention),
    onClose,
  })
  return (
    <FormDialog {...dialog} title={t.change} isWide submitLabel={t.save} className={layout.stack}>
      <p className={layout.quiet}>{t.dialogLead}</p>
      <FormGrid labels="top">
        {RETENTION_KINDS.map((kind) => {
          const { unit, min, max, usual } = RETENTION[kind]
          return (
            <BoundText<Values>
              key={kind}
              name={`keptFor.${kind}`}
              label={t.kinds[kind]}
              inputMode="numeric"
              autoComplete="off"
              isRequired
              description={t.bounds(t.units[unit], min, max, usual)}
            />
          )
        })}
        <BoundText<Values>
          name="officerName"
          label={t.officer}
          autoComplete="off"
          description={t.officerHint}
        />
        <BoundText<Values>
          name="officerContact"
          label={t.officerContact}
          autoComplete="off"
          description={t.officerContactHint}
        />
      </FormGrid>
    </FormDialog>
  )
}
