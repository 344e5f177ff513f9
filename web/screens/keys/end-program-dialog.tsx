import * as z from 'zod/mini'
import { line } from '../../../contract/fields.ts'
import { endProgram, listAllPrograms, REASON_LENGTH } from '../../../contract/keys.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { minuteOf } from '../../lists/columns.ts'
import { dialogs } from '../../ui/dialogs.ts'
import { FactList } from '../../ui/fact-list.tsx'
import type { ProgramOfAll } from './key-programs.page.tsx'
import { useTokenTexts } from './token-texts.ts'
import layout from '../../ui/layout.module.css'

const typed = z.strictObject({ reason: line(REASON_LENGTH) })

/** Asks for the reason to end a user's token. The user is notified. */
export function EndProgramDialog({ row, onClose }: { row: ProgramOfAll; onClose: () => void }) {
  const texts = useTokenTexts()
  const t = texts.allPrograms
  const end = useCall(endProgram)
  const form = useSchemaForm(typed, { reason: '' }, 'onSubmit')

  async function submit({ reason }: z.output<typeof typed>): Promise<void> {
    try {
      await end.mutateAsync({ programId: row.programId, reason })
    } catch (error) {
      await showRefusalOnField(error, form, { INPUT_INVALID: 'reason' })
      // The token may have ended in the meantime. The list shows the current state.
      await invalidate(listAllPrograms)
      return
    }
    onClose()
    await invalidate(listAllPrograms)
    await dialogs.alert({ tone: 'success', message: t.done })
  }

  return (
    <FormDialog
      title={t.endTitle}
      about={row.programId}
      isDanger
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.end}
      className={layout.stack}
    >
      <FactList
        facts={[
          [t.person, `${row.name} (${row.userId})`],
          [t.columns.programName, row.programName],
          [t.columns.lastUsedAt, minuteOf(row.lastUsedAt) || texts.never],
        ]}
      />
      <p>{t.endText}</p>
      <BoundText
        name="reason"
        label={t.reason}
        description={t.reasonHint}
        isRequired
        maxLength={REASON_LENGTH}
        autoComplete="off"
      />
    </FormDialog>
  )
}
