import { useEffect, useRef, useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { countBelongings } from '../../../../contract/users.ts'
import { usePortalMessages } from '../../../language.tsx'
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
  text: string
  /** Counts of the user's keys, devices, tokens and notices; undefined if they could not be read. */
  belongings: OutputOf<typeof countBelongings> | undefined
  /** The answer before any input. */
  proposed: WithdrawAnswer
  /** Receives each answer, and a function that asks for its missing reason. */
  onAnswer: (answer: WithdrawAnswer, askReason: () => void) => void
}

/**
 * Shows the content of the question before another user's account is withdrawn: what the user has, a reason, and
 * whether the keys are revoked too, which requires the reason (rules/users#before-a-withdrawal). Offers to revoke keys
 * only if the user has some. Makes no change itself.
 */
export function WithdrawQuestion({ text, belongings, proposed, onAnswer }: Props) {
  const { fields, users, validation } = usePortalMessages()
  const t = users.detail
  const [answer, setAnswer] = useState(proposed)
  const [isReasonMissing, setReasonMissing] = useState(false)
  const reason = useRef<HTMLInputElement>(null)

  useEffect(() => {
    onAnswer(answer, () => {
      setReasonMissing(true)
      reason.current?.focus()
    })
  }, [answer, onAnswer])

  function change(part: Partial<WithdrawAnswer>): void {
    setAnswer({ ...answer, ...part })
    setReasonMissing(false)
  }

  return (
    <div className={layout.stack}>
      <p>{text}</p>
      <p className={layout.quiet}>{t.withdrawHint}</p>
      {belongings === undefined ? (
        <p className={layout.warning}>{t.belongingsFailed}</p>
      ) : (
        <FactList
          facts={[
            [t.belongings.keys, belongings.keyCount.toLocaleString()],
            [t.belongings.sessions, belongings.sessionCount.toLocaleString()],
            [t.belongings.programs, belongings.programCount.toLocaleString()],
            [t.belongings.notices, belongings.noticeCount.toLocaleString()],
          ]}
        />
      )}
      {belongings !== undefined && belongings.keyCount > 0 && (
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
