import { useLocation } from '@tanstack/react-router'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { CERTIFY_TYPE, resetPassword } from '../../../contract/account.ts'
import { callWithMessage } from '../../api/client.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { lowerCaseId } from '../../forms/id-field.tsx'
import { usePortalMessages } from '../../language.tsx'
import { CertifiedCard } from './verification-card.tsx'
import { certifyFor, useCertification } from './use-verification.ts'

/** Schema of the second submit, with the code. */
const full = z.omit(resetPassword.input, { certificationType: true })
/** Schema of the first submit, which has no code yet. */
const main = z.extend(full, { certificationCode: z.string() })

/**
 * The page /reset/pw (rules/account#reset-password): mails a code for an ID and its email address, then has the server
 * email a temporary password (`resetPassword`, rules/account#temporary-password), and opens the login with the ID.
 */
export default function ResetPassword() {
  const t = usePortalMessages().account
  const certificationType = CERTIFY_TYPE.resetPassword
  const { typedId = '' } = useLocation({ select: ({ state }) => state })
  const certified = useCertification({
    type: certificationType,
    empty: { userId: typedId, email: '', certificationCode: '' },
    main,
    full,
    storedFields: ['userId', 'email'],
    send: certifyFor(certificationType, ({ userId = '', email }) => ({ userId, email })),
    finish: async (values) => {
      const { msg: message } = await callWithMessage(resetPassword, { ...values, certificationType })
      return { tone: 'info', message, typedId: values.userId }
    },
  })
  return (
    <CertifiedCard
      {...certified}
      heading={t.resetPassword}
      lead={t.resetLead}
      typedId={useWatch({ control: certified.form.control, name: 'userId' })}
      otherLink={{ href: '/find/id', text: t.findId }}
    >
      <BoundText
        name="userId"
        label={t.id}
        clean={lowerCaseId}
        autoComplete="username"
        isRequired
        isReadOnly={certified.certification.isLocked('userId')}
        // A person comes here to type this.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
    </CertifiedCard>
  )
}
