import { useNavigate } from '@tanstack/react-router'
import { FormProvider } from 'react-hook-form'
import * as z from 'zod/mini'
import { CERTIFY_TYPE, resetPassword } from '../../../contract/account.ts'
import { callWithMessage } from '../../api/client.ts'
import { useMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { AccountCard, AccountLinks } from './account-card.tsx'
import cardStyles from './account-card.module.css'
import { CertificationClock, CertificationField, EmailField } from './certification-field.tsx'
import { useCertification } from './use-certification.ts'

const full = z.omit(resetPassword.input, { certificationType: true })
const main = z.extend(full, { certificationCode: z.string() })

type ResetForm = z.input<typeof full>

/**
 * /reset/pw (rules/account#reset-password): a certified ID and e-mail get a temporary password by mail
 * (rules/account#temporary-password).
 */
export default function ResetPassword() {
  const t = useMessages().account
  const navigate = useNavigate()
  const type = CERTIFY_TYPE.resetPassword
  const { form, certification } = useCertification<ResetForm, string>({
    type,
    empty: { userId: '', email: '', certificationCode: '' },
    main,
    full,
    kept: ['userId', 'email'],
    subject: ({ userId, email }) => ({ userId, email }),
    finish: async (values) =>
      (await callWithMessage(resetPassword, { ...values, certificationType: type })).msg,
    onFinished: async (message) => {
      await dialogs.alert({ tone: 'info', message })
      await navigate({ to: '/', replace: true })
    },
  })
  const { isSent, isFinishing } = certification

  return (
    <AccountCard heading={t.resetPassword} lead={t.resetLead}>
      <FormProvider {...form}>
        <form noValidate onSubmit={certification.submit}>
          <BoundText<ResetForm>
            name="userId"
            label={t.id}
            autoComplete="username"
            isRequired
            isReadOnly={certification.isLocked('userId')}
            // A person comes here to type this.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
          />
          <EmailField certification={certification} hint={t.emailHint} />
          {isSent && <CertificationField certification={certification} hint={t.codeSentIfKnown} />}
          <Button
            type="submit"
            variant="primary"
            isWide
            isPending={isFinishing}
            className={cardStyles.submit}
          >
            {isSent ? t.resetPassword : <Sentence>{t.certify}</Sentence>}
          </Button>
          <CertificationClock certification={certification} />
        </form>
      </FormProvider>
      <AccountLinks
        links={[
          { href: '/login', text: t.backToLogin },
          { href: '/find/id', text: t.findId },
        ]}
      />
    </AccountCard>
  )
}
