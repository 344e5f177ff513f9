import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { countBelongings } from '../../../../contract/users.ts'
import { recordQuery } from '../../../api/query.ts'
import { usePortalMessages } from '../../../language.tsx'
import { useHasFunction } from '../../../layout/use-permission.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import layout from '../../../ui/layout.module.css'
import { TextField } from '../../../ui/text-field.tsx'

/** Answer to the question before another user's withdrawal. */
export interface WithdrawAnswer {
  withdrawnReason: string
  keysRevoked: boolean
}

interface Props {
  userId: string
  text: string
  /** Receives each answer, and a function that asks for its missing reason. */
  onAnswer: (answer: WithdrawAnswer, askReason: () => void) => void
}

/**
 * Shows the content of the question before another user's account is withdrawn: what the user has, a reason, and
 * whether the keys are revoked too, which requires the reason and the permission for partners
 * (rules/users#before-a-withdrawal). Makes no change itself.
 */
export function WithdrawQuestion({ userId, text, onAnswer }: Props) {
  const { fields, users, validation } = usePortalMessages()
  const t = users.detail
  const [answer, setAnswer] = useState<WithdrawAnswer>({ withdrawnReason: '', keysRevoked: false })
  const [isReasonMissing, setReasonMissing] = useState(false)
  const reason = useRef<HTMLInputElement>(null)
  const mayRevoke = useHasFunction('autho_partner_search')
  const { data, isError } = useQuery(recordQuery(countBelongings, { userId }))

  function change(part: Partial<WithdrawAnswer>): void {
    const next = { ...answer, ...part }
    setAnswer(next)
    setReasonMissing(false)
    onAnswer(next, () => {
      setReasonMissing(true)
      reason.current?.focus()
    })
  }

  return (
    <div className={layout.stack}>
      <p>{text}</p>
      <p className={layout.quiet}>{t.withdrawHint}</p>
      {isError && <p className={layout.warning}>{t.belongingsFailed}</p>}
      {data && (
        <FactList
          facts={[
            [t.belongings.keys, data.keyCount.toLocaleString()],
            [t.belongings.sessions, data.sessionCount.toLocaleString()],
            [t.belongings.programs, data.programCount.toLocaleString()],
            [t.belongings.notices, data.noticeCount.toLocaleString()],
          ]}
        />
      )}
      {mayRevoke && data !== undefined && data.keyCount > 0 && (
        <Checkbox
          label={t.revokeKeys}
          value={answer.keysRevoked}
          onChange={(keysRevoked) => change({ keysRevoked })}
        />
      )}
      <TextField
        ref={reason}
        label={fields.withdrawnReason}
        value={answer.withdrawnReason}
        onChange={(withdrawnReason) => change({ withdrawnReason })}
        maxLength={200}
        isRequired={answer.keysRevoked}
        errorMessage={isReasonMissing ? validation.required : undefined}
        autoComplete="off"
      />
    </div>
  )
}
