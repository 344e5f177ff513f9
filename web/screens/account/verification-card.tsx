import type { ReactNode } from 'react'
import { FormProvider } from 'react-hook-form'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Sentence } from '../../ui/capitalized.tsx'
import { AccountCard, AccountLinks, type AccountLink } from './account-card.tsx'
import cardStyles from './account-card.module.css'
import { CertificationClock, CertificationField, EmailField } from './verification-field.tsx'
import type { CertifiedForm, CertifiedValues } from './use-verification.ts'

/** Texts and fields of the card. */
interface Props<Values extends CertifiedValues> extends CertifiedForm<Values> {
  heading: string
  lead: string
  /** A link in addition to the login link. */
  otherLink: AccountLink
  /** The ID that the linked pages start with. */
  typedId?: string | undefined
  /** Content before the email field. */
  children?: ReactNode
}

/**
 * Shows the card of /find/id and /reset/pw: an email address, its code after it is sent, the submit button of both, and
 * links to related pages.
 */
export function CertifiedCard<Values extends CertifiedValues>(props: Props<Values>) {
  const { form, certification, draftOffer, heading, lead, otherLink, typedId = '', children } = props
  const t = usePortalMessages().account
  const { isSent, isFinishing } = certification
  return (
    <AccountCard heading={heading} lead={lead}>
      <FormProvider {...form}>
        <form noValidate onSubmit={certification.submit}>
          {draftOffer}
          {children}
          <EmailField certification={certification} hint={t.emailHint} isFirst={children === undefined} />
          {isSent && <CertificationField certification={certification} hint={t.codeSentIfKnown} />}
          <Button
            type="submit"
            variant="primary"
            isWide
            isPending={isFinishing}
            className={cardStyles.submit}
          >
            {isSent ? heading : <Sentence>{t.certify}</Sentence>}
          </Button>
          <CertificationClock certification={certification} />
        </form>
      </FormProvider>
      <AccountLinks links={[{ href: '/login', text: t.backToLogin }, otherLink]} typedId={typedId} />
    </AccountCard>
  )
}
