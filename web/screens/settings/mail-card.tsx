import { useState } from 'react'
import * as z from 'zod/mini'
import * as fields from '../../../contract/fields.ts'
import { getSetup, sendTestMail } from '../../../contract/settings.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { clearToasts } from '../../ui/toasts.ts'
import type { SettingsRecord } from './form-values.ts'
import { MailOutcome } from './mail-outcome.tsx'
import { useSettingsTexts } from './settings-texts.ts'

/** Schema of the form. */
const typed = z.strictObject({ email: fields.email })

/**
 * Shows a form of its own that sends a test email with the saved settings (`sendTestMail`), not with unsaved input
 * above, and its outcome (rules/settings#test-mail). Starts with the user's own address. The outcome disappears
 * when the mail server changes.
 */
export function MailCard({ ownEmail, mailVersion }: Pick<SettingsRecord, 'ownEmail' | 'mailVersion'>) {
  const t = useSettingsTexts()
  const test = useCall(sendTestMail)
  const [testedVersion, setTestedVersion] = useState('')
  const form = useSchemaForm(typed, { email: ownEmail }, 'onSubmit')

  async function send(values: z.output<typeof typed>): Promise<void> {
    // The toast of a mail server that was just saved would cover the result.
    clearToasts()
    setTestedVersion(mailVersion)
    try {
      await test.mutateAsync(values)
      void invalidate(getSetup)
    } catch (error) {
      await showRefusalOnField(error, form, {})
    }
  }

  return (
    <Card title={t.mailTestTitle}>
      <Form form={form} draft={null} onSubmit={send}>
        <FormGrid>
          <BoundText
            name="email"
            label={t.mailTestTo}
            type="email"
            inputMode="email"
            isRequired
            isWide
            action={
              <Button type="submit" isPending={test.isPending}>
                {t.mailTest}
              </Button>
            }
          />
        </FormGrid>
      </Form>
      <MailOutcome
        pending={test.isPending ? t.mailTesting : undefined}
        outcome={testedVersion === mailVersion ? test.data : undefined}
      />
    </Card>
  )
}
