import { useNavigate } from '@tanstack/react-router'
import { FormProvider } from 'react-hook-form'
import * as z from 'zod/mini'
import { CERTIFY_TYPE, findId } from '../../../contract/account.ts'
import { call } from '../../api/client.ts'
import { useMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { Sentence } from '../../ui/sentence.tsx'
import { AccountCard, AccountLinks } from './account-card.tsx'
import cardStyles from './account-card.module.css'
import { CertificationClock, CertificationField, EmailField } from './certification-field.tsx'
import { useCertification } from './use-certification.ts'

const full = z.omit(findId.input, { certificationType: true })
const main = z.extend(full, { certificationCode: z.string() })

type FindIdForm = z.input<typeof full>

/** /find/id (rules/account#find-id): a certified e-mail is told its user ID. */
export default function FindId() {
  const t = useMessages().account
  const navigate = useNavigate()
  const type = CERTIFY_TYPE.findId
  const { form, certification } = useCertification<FindIdForm, string>({
    type,
    empty: { email: '', certificationCode: '' },
    main,
    full,
    kept: ['email'],
    subject: ({ email }) => ({ email }),
    finish: async (values) => (await call(findId, { ...values, certificationType: type })).userId,
    onFinished: async (userId) => {
      await dialogs.alert({ tone: 'success', message: t.yourId(userId) })
      await navigate({ to: '/', replace: true })
    },
  })
  const { isSent, isFinishing } = certification

  return (
    <AccountCard heading={t.findId} lead={t.findIdLead}>
      <FormProvider {...form}>
        <form noValidate onSubmit={certification.submit}>
          <EmailField certification={certification} hint={t.emailHint} isFirst />
          {isSent && <CertificationField certification={certification} hint={t.codeSentIfKnown} />}
          <Button
            type="submit"
            variant="primary"
            isWide
            isPending={isFinishing}
            className={cardStyles.submit}
          >
            {isSent ? t.findId : <Sentence>{t.certify}</Sentence>}
          </Button>
          <CertificationClock certification={certification} />
        </form>
      </FormProvider>
      <AccountLinks
        links={[
          { href: '/login', text: t.backToLogin },
          { href: '/reset/pw', text: t.resetPassword },
        ]}
      />
    </AccountCard>
  )
}
