import { extendUser, liftSuspension } from '../../../contract/users.ts'
import { useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'

/**
 * The two changes of an account that one click makes (rules/users#ending-accounts), each told when it is made.
 * @param onChanged it was made, or refused because somebody else did something: what is shown is read again
 */
export function useChangeUser(onChanged: () => Promise<void>) {
  const t = usePortalMessages().users.validity
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

  return {
    isExtending: extend.isPending,
    extend: (user: { userId: string; name: string; validTo: string }) =>
      change(async () => {
        const { userId, name, validTo } = user
        const answer = await extend.mutateAsync({ userId, validTo })
        return t.extended(name, answer.validTo)
      }),
    lift: ({ userId, name }: { userId: string; name: string }) =>
      change(async () => {
        await lift.mutateAsync({ userId })
        return t.lifted(name)
      }),
  }
}
