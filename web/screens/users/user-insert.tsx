import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { checkFunction } from '../../../contract/common.ts'
import { query } from '../../api/query.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { useTellRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Page } from '../../ui/card.tsx'
import { RegisterForm } from './register-form.tsx'

/** /user/insert (rules/users#register): only with autho_user_insert; a denial is told and leads to /. */
export function UserInsert() {
  const { frame, users } = usePortalMessages()
  const navigate = useNavigate()
  // Asked every time: the right may have been taken away since the last one.
  const right = useQuery({ ...query(checkFunction, { functionName: 'autho_user_insert' }), gcTime: 0 })
  const toStart = () => void navigate({ to: '/', replace: true })

  useTellRefusal(right.error, toStart)

  return (
    <Page title={frame.titles.userInsert}>
      {right.isSuccess ? (
        <RegisterForm onDenied={toStart} />
      ) : (
        // A denial leads away: in its place nothing is offered to try again.
        right.error?.isUnavailable !== false && (
          <RecordStates
            query={right}
            title={users.detail.basicInfo}
            loading={users.register.loading}
            failed={users.register.failed}
          />
        )
      )}
    </Page>
  )
}
