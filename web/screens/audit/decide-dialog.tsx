import * as z from 'zod/mini'
import {
  confirmRights,
  getReview,
  listReviews,
  REMARK_LENGTH,
  withdrawRights,
  withdrawRole,
} from '../../../contract/audit.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { useReviewTexts } from './review-texts.ts'

/**
 * A decision about selected items of an access review: confirm them, revoke the role of users, or delete a role.
 * `remove` takes one item, the others take several.
 */
export interface BulkDecision {
  quarter: string
  how: 'confirm' | 'withdraw' | 'remove'
  itemIds: readonly string[]
}

/** Schema of a confirmation, whose remark may be empty. */
const confirmForm = z.strictObject({ remark: confirmRights.input._zod.def.shape.remark })
/** Schema of a revocation or deletion, which requires a reason. */
const reasonForm = z.strictObject({ remark: withdrawRights.input._zod.def.shape.remark })

/** The decision and its results. */
interface Props extends BulkDecision {
  /** Called after the decision is saved, before the review is read again. */
  onDone: () => void
  onClose: () => void
}

/**
 * Shows the dialog that asks for a remark to confirm (`confirmRights`), or for a reason to revoke (`withdrawRights`) or
 * delete (`withdrawRole`), and makes the decision. Calls `onDone` after it. Any refusal but that of an invalid input
 * closes the dialog, and the review is read again.
 */
export function DecideDialog({ quarter, how, itemIds, onDone, onClose }: Props) {
  const t = useReviewTexts().quarter
  const confirm = useCall(confirmRights)
  const withdraw = useCall(withdrawRights)
  const remove = useCall(withdrawRole)
  const isConfirmed = how === 'confirm'
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

  const form = useDialogForm({
    schema: isConfirmed ? confirmForm : reasonForm,
    initial: { remark: '' },
    async submit({ remark }) {
      await decide(remark)
      onDone()
    },
    done: () => words.done,
    isOutdated: (code) => code !== 'INPUT_INVALID',
    onChanged: () => Promise.all([invalidate(getReview), invalidate(listReviews)]),
    onClose,
  })

  return (
    <FormDialog
      title={words.title}
      about={ids.join(' ')}
      {...form}
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
