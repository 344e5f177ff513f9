import { cancelAffiliationChange } from '../../../../contract/approvals.ts'
import { useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { usePortalMessages } from '../../../language.tsx'
import { minuteOf } from '../../../lists/columns.ts'
import { Button } from '../../../ui/button.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import type { GateKeeper } from '../../../frame/password-gate.tsx'
import type { UserRecord } from '../record/form-values.ts'
import layout from '../../../ui/layout.module.css'

interface Props extends GateKeeper {
  request: NonNullable<UserRecord['affiliationRequest']>
  /** Called after the request was canceled or decided, so that the record is read again. */
  onDone: () => Promise<void>
}

/** Shows on the user's own page the open request for another affiliation, which the user can cancel (rules/users#affiliation-change). */
export function OpenRequest({ request, guarded, onDone }: Props) {
  const t = usePortalMessages().users.form
  const cancel = useCall(cancelAffiliationChange)

  async function takeBack(): Promise<void> {
    if (!(await dialogs.confirm({ title: t.cancelTitle, message: t.cancelText(request.newAffiliationName) })))
      return
    try {
      await guarded(() => cancel.mutateAsync({}))
    } catch (error) {
      await showRefusal(error)
    }
    await onDone()
  }

  return (
    <div className={layout.row}>
      <output>{t.openRequest(request.newAffiliationName, minuteOf(request.requestedAt))}</output>
      <Button size="small" isPending={cancel.isPending} onClick={() => void takeBack()}>
        {t.cancelRequest}
      </Button>
    </div>
  )
}
