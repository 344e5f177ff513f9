import { useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { CERTIFY_TYPE, signUp } from '../../../contract/account.ts'
import { CallError } from '../../api/call-error.ts'
import { callWithMessage } from '../../api/client.ts'
import { reloadConfig } from '../../api/config.ts'
import { usePortalMessages } from '../../language.tsx'
import { deleteSsoTicket, readSsoTicket } from '../../sso.ts'
import { Button } from '../../ui/button.tsx'
import type { AlertOptions } from '../../ui/dialogs.ts'
import { InfoIcon, CheckIcon } from '../../ui/icons.tsx'
import { Sentence } from '../../ui/capitalized.tsx'
import { useIdCheck } from '../../forms/use-id-check.ts'
import cardStyles from './account-card.module.css'
import { CertificationClock } from './verification-field.tsx'
import { PrivacyCheckbox } from './privacy-checkbox.tsx'
import { AccountSection, PersonSection } from './sign-up-fields.tsx'
import { emptySignUp, STORED_FIELDS, signUpFull, signUpMain, type SignUpForm } from './sign-up-form.ts'
import styles from './sign-up.module.css'
import { useSsoTexts } from './sso-texts.ts'
import { certifyFor, useCertification } from './use-verification.ts'

/**
 * The page /signup (rules/account#sign-up): a checked ID, a verified email address, and an approval request (`signUp`);
 * or an account without approval, if the identity provider of its ticket allows that. The first submit mails the code,
 * the second one makes the request, shows the result in an alert and opens /.
 */
export default function SignUp() {
  const t = usePortalMessages().account
  const sso = useSsoTexts()
  const [isLinked, setLinked] = useState(() => readSsoTicket() !== undefined)
  const certificationType = CERTIFY_TYPE.signUp
  const { form, certification, draftOffer } = useCertification({
    type: certificationType,
    empty: emptySignUp,
    main: signUpMain,
    full: signUpFull,
    storedFields: STORED_FIELDS,
    storesInput: true,
    send: certifyFor(certificationType, ({ email, userId = '', phoneNumber = '' }) => ({
      email,
      userId,
      phoneNumber,
    })),
    mayCertify,
    finish,
    refusals: {
      USER_ID_TAKEN: 'userId',
      PASSWORD_COMMON: 'password',
      PASSWORD_PERSONAL: 'password',
      CODE_NOT_FOUND: 'affiliationCode',
      AFFILIATION_CLOSED: 'affiliationCode',
      SSO_EMAIL_DIFFERS: 'email',
      PRIVACY_NOTICE_CHANGED: 'privacyVersion',
    },
  })
  const { isSent, isFinishing, isRecalled } = certification
  const idCheck = useIdCheck(form, 'userId', {
    checked: isRecalled && isSent ? form.getValues('userId') : undefined,
  })

  /** Continues the sign-up without the identity of a provider. */
  function unlink(): void {
    deleteSsoTicket()
    setLinked(false)
  }

  /**
   * Returns whether the duplicate check of the ID has succeeded; otherwise the submit does nothing
   * (rules/account#id-check).
   */
  function mayCertify(): Promise<boolean> {
    return idCheck.requireChecked()
  }

  /** Makes the request, and returns its success message. After a refusal it discards what cannot succeed again. */
  async function finish(valid: SignUpForm): Promise<AlertOptions> {
    const { confirmation: _, privacyVersion, ...values } = valid
    const kept = readSsoTicket()
    try {
      const { msg } = await callWithMessage(signUp, {
        ...values,
        certificationType,
        ...(privacyVersion !== '' && { privacyVersion: Number(privacyVersion) }),
        ...(kept !== undefined && { ssoTicket: kept.ticket }),
      })
      deleteSsoTicket()
      return { tone: 'info', message: kept?.approves === true ? sso.accountMade : msg }
    } catch (error) {
      // The next attempt requests an account without a link.
      if (error instanceof CallError && ['SSO_STATE_INVALID', 'SSO_TAKEN'].includes(error.code)) unlink()
      // This page has the number of the previous version, or of none.
      if (error instanceof CallError && isAboutPrivacy(error)) await reloadConfig().catch(() => undefined)
      // Another user took the ID in the meantime, so it must be checked again.
      if (error instanceof CallError && error.code === 'USER_ID_TAKEN') idCheck.reset()
      throw error
    }
  }

  return (
    <div className={cardStyles.screen}>
      <div className={`${cardStyles.card} ${styles.card}`}>
        <header className={styles.header}>
          <div>
            <h1>{t.signUpHeading}</h1>
            <p>{t.signUpLead}</p>
          </div>
          <SignUpSteps isSent={isSent} />
        </header>
        {isRecalled && (
          <output className={styles.recalled}>
            <InfoIcon size={18} />
            {t.signUpRecalled}
          </output>
        )}
        {isLinked && (
          <output className={styles.recalled}>
            <InfoIcon size={18} />
            <span>{sso.requestLinks}</span>
            <Button onClick={unlink}>{sso.requestUnlinked}</Button>
          </output>
        )}
        <FormProvider {...form}>
          <form noValidate onSubmit={certification.submit}>
            {draftOffer}
            <AccountSection certification={certification} idCheck={idCheck} />
            <PersonSection certification={certification} />
            <PrivacyCheckbox />
            <div className={styles.actions}>
              <a href="/login">{t.backToLogin}</a>
              <Button type="submit" variant="primary" isPending={isFinishing} className={styles.submit}>
                {/* An element of its own per word: a first letter is made a capital when it is drawn first. */}
                <Sentence key={String(isSent)}>{isSent ? t.requestApproval : t.certify}</Sentence>
              </Button>
            </div>
            <CertificationClock certification={certification} />
          </form>
        </FormProvider>
      </div>
    </div>
  )
}

/** Returns whether a refusal is about the acceptance of the privacy notice. */
const isAboutPrivacy = ({ code, field }: CallError) =>
  code === 'PRIVACY_NOTICE_CHANGED' || field === 'privacyVersion'

/**
 * Shows the steps of a sign-up and marks the current one: the details, or after `isSent` the email. The approval step follows
 * later.
 */
function SignUpSteps({ isSent }: { isSent: boolean }) {
  const t = usePortalMessages().account
  const current = isSent ? 1 : 0
  return (
    <ol className={styles.steps} aria-label={t.steps}>
      {[t.stepDetails, t.stepEmail, t.stepApproval].map((step, index) => (
        <li
          key={step}
          aria-current={index === current ? 'step' : undefined}
          className={index < current ? styles.done : undefined}
        >
          <span className={styles.number}>{index < current ? <CheckIcon size={14} /> : index + 1}</span>
          {step}
        </li>
      ))}
    </ol>
  )
}
