import { useLocation } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { CERTIFY_TYPE, findId } from '../../../contract/account.ts'
import { call } from '../../api/client.ts'
import { usePortalMessages } from '../../language.tsx'
import { CertifiedCard } from './verification-card.tsx'
import { certifyFor, useCertification } from './use-verification.ts'

/** Schema of the second submit, with the code. */
const full = z.omit(findId.input, { certificationType: true })
/** Schema of the first submit, which has no code yet. */
const main = z.extend(full, { certificationCode: z.string() })

/**
 * The page /find/id (rules/account#find-id): mails a code to an email address, then shows the login ID of the verified
 * address in an alert (`findId`), and opens the login with this ID.
 */
export default function FindId() {
  const t = usePortalMessages().account
  const { typedId } = useLocation({ select: ({ state }) => state })
  const certificationType = CERTIFY_TYPE.findId
  const certified = useCertification({
    type: certificationType,
    empty: { email: '', certificationCode: '' },
    main,
    full,
    storedFields: ['email'],
    send: certifyFor(certificationType, ({ email }) => ({ email })),
    finish: async (values) => {
      const { userId } = await call(findId, { ...values, certificationType })
      return { tone: 'success', message: t.yourId(userId), foundId: userId }
    },
  })
  return (
    <CertifiedCard
      {...certified}
      heading={t.findId}
      lead={t.findIdLead}
      typedId={typedId}
      otherLink={{ href: '/reset/pw', text: t.resetPassword }}
    />
  )
}
