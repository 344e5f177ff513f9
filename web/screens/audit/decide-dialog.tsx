import * as z from 'zod/mini'
import {
  confirmRights,
  getReview,
  listReviews,
  REMARK_LENGTH,
  withdrawRights,
  withdrawRole,
} from '../../../contract/audit.ts'
import { CallError } from '../../api/call-error.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { dialogs } from '../../ui/dialogs.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { useReviewTexts } from './review-texts.ts'

/** A decision about the selected items: confirm them, revoke the role of users, or delete a role. */
export interface Deciding {
  quarter: string
  how: 'confirm' | 'withdraw' | 'remove'
  itemIds: readonly string[]
}

const said = z.strictObject({ remark: confirmRights.input._zod.def.shape.remark })
const why = z.strictObject({ remark: withdrawRights.input._zod.def.shape.remark })

interface Props extends Deciding {
  onDone: () => void
  onClose: () => void
}

/** Asks for a remark, or for the reason, and decides. */
export function DecideDialog({ quarter, how, itemIds, onDone, onClose }: Props) {
  const t = useReviewTexts().quarter
  const confirm = useCall(confirmRights)
  const withdraw = useCall(withdrawRights)
  const remove = useCall(withdrawRole)
  const isConfirmed = how === 'confirm'
  const form = useSchemaForm(isConfirmed ? said : why, { remark: '' })
  const ids = [...itemIds]
  const words = {
    confirm: { title: t.confirmTitle, lead: t.confirmLead(ids.length), submit: t.confirm, done: t.confirmed },
    withdraw: {
      title: t.withdrawTitle,
      lead: t.withdrawLead(ids.length),
      submit: t.withdraw,
      done: t.withdrawn,
    },
    remove: { title: t.removeTitle, lead: t.removeLead, submit: t.remove, done: t.removed },
  }[how]

  async function decide(remark: string): Promise<void> {
    if (how === 'confirm') await confirm.mutateAsync({ quarter, itemIds: ids, remark })
    else if (how === 'withdraw') await withdraw.mutateAsync({ quarter, itemIds: ids, remark })
    else await remove.mutateAsync({ quarter, itemId: ids[0] ?? '', remark })
  }

  async function submit({ remark }: z.output<typeof said>): Promise<void> {
    try {
      await decide(remark)
    } catch (error) {
      await showRefusalOnField(error, form, {})
      if (!(error instanceof CallError) || error.code === 'INPUT_INVALID') return
      onClose()
      await refresh()
      return
    }
    onDone()
    await refresh()
    await dialogs.alert({ tone: 'success', message: words.done })
  }

  return (
    <FormDialog
      title={words.title}
      about={ids.join(' ')}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.submit}
      isDanger={!isConfirmed}
      className={layout.stack}
    >
      <p>{words.lead}</p>
      <FormGrid columns={1} labels="top">
        <BoundArea
          name="remark"
          label={isConfirmed ? t.remarkLabel : t.reasonLabel}
          rows={4}
          maxLength={REMARK_LENGTH}
          isRequired={!isConfirmed}
        />
      </FormGrid>
    </FormDialog>
  )
}

const refresh = () => Promise.all([invalidate(getReview), invalidate(listReviews)])
