import { date } from '../../../../contract/fields.ts'
import { extendUser, liftSuspension } from '../../../../contract/users.ts'
import { useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { usePortalMessages } from '../../../language.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { useState } from 'react'
import { useDateTexts } from '../../../forms/date-texts.ts'
import { DateField } from '../../../ui/date-field.tsx'
import layout from '../../../ui/layout.module.css'
import { showToast } from '../../../ui/toasts.ts'

/** User whose account is extended, with its end and the suggested one. */
interface Extended {
  userId: string
  name: string
  validTo: string
  extendedTo: string
}

/**
 * Returns the calls of the buttons that extend an account or lift its suspension (rules/users#ending-accounts).
 * `extend` asks for the new last day first; `lift` asks nothing. Each shows a success message or the refusal.
 * @param onChanged called after a change or a failure, so that the record is read again
 */
export function useChangeUser(onChanged: () => Promise<void>) {
  const { forms, users, validation } = usePortalMessages()
  const t = users.validity
  const extend = useCall(extendUser)
  const lift = useCall(liftSuspension)

  async function change(work: () => Promise<string>): Promise<void> {
    try {
      showToast(await work())
    } catch (error) {
      await showRefusal(error)
    }
    await onChanged()
  }

  /**
   * Asks for the new last day in a dialog, and again if the day is invalid or not later than the current end.
   * @returns undefined if the user cancels
   */
  async function askForEnd(user: Extended, proposed: string): Promise<string | undefined> {
    const asked = { day: proposed }
    const isWanted = await dialogs.confirm({
      title: t.extendTitle,
      message: (
        <ExtendQuestion
          text={t.extendText(user.name, user.validTo)}
          first={proposed}
          onChange={(day) => {
            asked.day = day
          }}
        />
      ),
      yesLabel: t.extendYes,
      noLabel: forms.cancel,
    })
    if (!isWanted) return undefined
    if (date.safeParse(asked.day).success && asked.day > user.validTo) return asked.day
    await dialogs.alert({ message: validation.endNotLater })
    return askForEnd(user, asked.day)
  }

  return {
    isExtending: extend.isPending,
    /** Asks for the new expiry date first: a year later by default (rules/users#extension). */
    extend: async (user: Extended): Promise<void> => {
      const extendTo = await askForEnd(user, user.extendedTo)
      if (extendTo === undefined) return
      const { userId, name, validTo } = user
      await change(async () => {
        const answer = await extend.mutateAsync({ userId, validTo, extendTo })
        return t.extended(name, answer.validTo)
      })
    },
    lift: ({ userId, name }: { userId: string; name: string }) =>
      change(async () => {
        await lift.mutateAsync({ userId })
        return t.lifted(name)
      }),
  }
}

interface QuestionProps {
  text: string
  /** The suggested day, YYYY-MM-DD. */
  first: string
  onChange: (day: string) => void
}

/** Shows the content of the dialog that extends an account: a text and the new last day (rules/users#extension). */
function ExtendQuestion({ text, first, onChange }: QuestionProps) {
  const { fields } = usePortalMessages()
  const [day, setDay] = useState(first)
  return (
    <div className={layout.stack}>
      <p>{text}</p>
      <DateField
        {...useDateTexts()}
        label={fields.extendTo}
        value={day}
        onChange={(typed) => {
          setDay(typed)
          onChange(typed)
        }}
      />
    </div>
  )
}
