import { FormProvider } from 'react-hook-form'
import * as z from 'zod/mini'
import { certifyNewEmail, changeEmail } from '../../../../contract/account.ts'
import { callWithMessage } from '../../../api/client.ts'
import type { GateKeeper } from '../../../frame/password-gate.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormActions, FormGrid } from '../../../ui/form-grid.tsx'
import layout from '../../../ui/layout.module.css'
import { CertificationClock, CertificationField, EmailField } from '../../account/certification-field.tsx'
import { useCertification } from '../../account/use-certification.ts'

interface Props extends GateKeeper {
  /** The present one. */
  email: string
  onChanged: () => Promise<void>
}

const full = z.strictObject(changeEmail.input.shape)
const main = z.extend(full, { certificationCode: z.string() })

/** 'Change e-mail' of my page (rules/account#own-e-mail): a code that is sent to the new address comes back. */
export function EmailCard({ email, guarded, onChanged }: Props) {
  const t = usePortalMessages().users.account.own
  const { form, certification, draftOffer } = useCertification({
    // A reload asks for the password again anyway.
    type: null,
    empty: { email: '', certificationCode: '' },
    main,
    full,
    storedFields: [],
    send: async ({ email: wanted }) =>
      (await guarded(() => callWithMessage(certifyNewEmail, { email: wanted }))).msg,
    finish: async (values) => {
      const { msg } = await guarded(() => callWithMessage(changeEmail, values))
      return { tone: 'success', message: `${t.done} ${msg || t.told}` }
    },
    refusals: { EMAIL_TAKEN: 'email' },
    afterwards: onChanged,
  })
  const { isSent, isFinishing } = certification
  return (
    <Card title={t.title}>
      <p className={layout.lead}>{t.lead(email)}</p>
      <FormProvider {...form}>
        <form noValidate onSubmit={certification.submit}>
          {draftOffer}
          <FormGrid>
            <EmailField certification={certification} label={t.newEmail} hint="" />
            {isSent && <CertificationField certification={certification} hint={t.sent} />}
          </FormGrid>
          <FormActions>
            <Button type="submit" isPending={isFinishing}>
              {isSent ? t.submit : t.certify}
            </Button>
          </FormActions>
          <CertificationClock certification={certification} />
        </form>
      </FormProvider>
    </Card>
  )
}
