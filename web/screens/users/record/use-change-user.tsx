import { date } from '../../../../contract/fields.ts'
import { extendUser, liftSuspension } from '../../../../contract/users.ts'
import { useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { usePortalMessages } from '../../../language.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { ExtendQuestion } from '../account/extend-question.tsx'

/** The user whose account is extended, and the suggested end. */
interface Extended {
  userId: string
  name: string
  validTo: string
  extendedTo: string
}

/**
 * Returns the two changes of an account that its buttons make (rules/users#ending-accounts). Each shows a success message.
 * @param onChanged called after a change, or after a refusal because another user acted first, so that the record is read again
 */
export function useChangeUser(onChanged: () => Promise<void>) {
  const { forms, users, validation } = usePortalMessages()
  const t = users.validity
  const extend = useCall(extendUser)
  const lift = useCall(liftSuspension)

  async function change(work: () => Promise<string>): Promise<void> {
    try {
      await dialogs.alert({ tone: 'success', message: await work() })
    } catch (error) {
      await showRefusal(error)
    }
    await onChanged()
  }

  /** @returns undefined if the user cancels */
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
