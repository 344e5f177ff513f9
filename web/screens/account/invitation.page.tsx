import { useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { acceptInvitation, LINK } from '../../../contract/account.ts'
import { newPassword } from '../../../contract/fields.ts'
import { useCall } from '../../api/query.ts'
import { NewPasswordFields } from '../../forms/bound-password.tsx'
import { confirmation, passwordsMatch } from '../../forms/password-confirmation.ts'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import cardStyles from './account-card.module.css'
import { LinkCard } from './link-card.tsx'
import { PasswordRules } from './password-rules.tsx'
import { showToast } from '../../ui/toasts.ts'

/** Schema of the form. It has login ID and email address, because the password must not contain them. */
const firstPassword = z
  .strictObject({ userId: z.string(), email: z.string(), password: newPassword, confirmation })
  .check(passwordsMatch)

/**
 * The page /invitation (rules/account#invitation), which an email link opens: a new user chooses the first password,
 * and goes to /login.
 */
export default function Invitation() {
  const t = usePortalMessages().account
  return (
    <LinkCard
      heading={t.titles.invitation}
      kind={LINK.invitation}
      lead={({ userId }) => t.invitationLead(userId)}
    >
      {(token, link) => <FirstPassword key={token} token={token} owner={link} />}
    </LinkCard>
  )
}

/**
 * Shows the form of the first password. Submitting accepts the invitation (`acceptInvitation`), shows a toast and opens
 * /login. A common or personal password is refused at its field.
 */
function FirstPassword({ token, owner }: { token: string; owner: { userId: string; email: string } }) {
  const t = usePortalMessages().account
  const navigate = useNavigate()
  const accept = useCall(acceptInvitation)
  const { userId, email } = owner
  const form = useSchemaForm(firstPassword, { userId, email, password: '', confirmation: '' })

  async function submit({ password }: z.output<typeof firstPassword>): Promise<void> {
    try {
      await accept.mutateAsync({ token, password })
    } catch (error) {
      return showRefusalOnField(error, form, { PASSWORD_COMMON: 'password', PASSWORD_PERSONAL: 'password' })
    }
    showToast(t.invitationDone)
    await navigate({ to: '/login', replace: true })
  }

  return (
    <Form form={form} draft={null} onSubmit={submit}>
      {/* Password managers keep the ID with the password. */}
      <input type="text" name="username" autoComplete="username" value={userId} readOnly hidden />
      <NewPasswordFields name="password" labels={[t.password, t.passwordAgain]} />
      <PasswordRules name="password" laterText={t.ruleCheckedOnInvitation} />
      <Button
        type="submit"
        variant="primary"
        isWide
        isPending={accept.isPending}
        className={cardStyles.submit}
      >
        {t.invitationSubmit}
      </Button>
    </Form>
  )
}
