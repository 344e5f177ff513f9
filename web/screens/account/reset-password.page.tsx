import { useLocation } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { CERTIFY_TYPE, resetPassword } from '../../../contract/account.ts'
import { callWithMessage } from '../../api/client.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { lowerCaseId } from '../../forms/id-field.tsx'
import { usePortalMessages } from '../../language.tsx'
import { CertifiedCard } from './certified-card.tsx'
import { certifyFor, useCertification } from './use-certification.ts'

const full = z.omit(resetPassword.input, { certificationType: true })
const main = z.extend(full, { certificationCode: z.string() })

/**
 * /reset/pw (rules/account#reset-password): a certified ID and e-mail get a temporary password by mail
 * (rules/account#temporary-password).
 */
export default function ResetPassword() {
  const t = usePortalMessages().account
  const certificationType = CERTIFY_TYPE.resetPassword
  const { foundId = '' } = useLocation({ select: ({ state }) => state })
  const certified = useCertification({
    type: certificationType,
    empty: { userId: foundId, email: '', certificationCode: '' },
    main,
    full,
    storedFields: ['userId', 'email'],
    send: certifyFor(certificationType, ({ userId = '', email }) => ({ userId, email })),
    finish: async (values) => {
      const { msg: message } = await callWithMessage(resetPassword, { ...values, certificationType })
      return { tone: 'info', message }
    },
  })
  return (
    <CertifiedCard
      {...certified}
      heading={t.resetPassword}
      lead={t.resetLead}
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
