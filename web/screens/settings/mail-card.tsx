import * as z from 'zod/mini'
import type { OutputOf } from '../../../contract/endpoint.ts'
import * as fields from '../../../contract/fields.ts'
import { getSetup, sendTestMail } from '../../../contract/settings.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FieldRow } from '../../ui/field.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import type { SettingsRecord } from './form-values.ts'
import { useMailProblems } from './mail-problems.ts'
import { useSettingsTexts } from './settings-texts.ts'
import styles from './settings.module.css'

const typed = z.strictObject({ email: fields.email })

/** Shows how emails are sent, and sends a test email (rules/settings#test-mail). A form of its own, which saves nothing. */
export function MailCard({ record: { mailFrom, mailServer, ownEmail } }: { record: SettingsRecord }) {
  const t = useSettingsTexts()
  const test = useCall(sendTestMail)
  const form = useSchemaForm(typed, { email: ownEmail }, 'onSubmit')

  async function send(values: z.output<typeof typed>): Promise<void> {
    try {
      await test.mutateAsync(values)
      void invalidate(getSetup)
    } catch (error) {
      await showRefusalOnField(error, form, {})
    }
  }

  return (
    <Card title={t.mail}>
      <p className={layout.lead}>{t.mailLead}</p>
      <Form form={form} draft={null} onSubmit={send}>
        <FormGrid>
          <FieldRow label={t.mailFrom}>{mailFrom}</FieldRow>
          <FieldRow label={t.mailServer}>{mailServer === '' ? t.mailServerNone : mailServer}</FieldRow>
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
      <output className={styles.outcome}>
        {test.isPending ? t.mailTesting : test.data !== undefined && <Outcome outcome={test.data} />}
      </output>
    </Card>
  )
}

function Outcome({ outcome }: { outcome: OutputOf<typeof sendTestMail> }) {
  const t = useSettingsTexts()
  const problems = useMailProblems()
  const { email, state, path, problem = 'other', detail } = outcome
  if (state === 'sent') return t.mailSent(email)
  if (state === 'written') return t.mailWritten(path)
  return (
    <>
      <strong className={styles.failed}>{t.mailFailed(email)}</strong>
      <br />
      {problems[problem]}
      {detail !== '' && (
        <>
          <br />
          <span className={layout.hint}>{t.mailDetail(detail)}</span>
        </>
      )}
    </>
  )
}
