import type { OutputOf } from '../../../contract/endpoint.ts'
import { getSetup, sendTestMail } from '../../../contract/settings.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FieldRow } from '../../ui/field.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import type { SettingsRecord } from './form-values.ts'
import styles from './settings.module.css'

/** How mails are sent, as it stands, and a test mail to oneself (rules/settings#test-mail). */
export function MailCard({ record: { mailFrom, mailServer } }: { record: SettingsRecord }) {
  const t = usePortalMessages().settings
  const test = useCall(sendTestMail)

  async function send(): Promise<void> {
    try {
      await test.mutateAsync({})
      void invalidate(getSetup)
    } catch (error) {
      await showRefusal(error)
    }
  }

  return (
    <Card title={t.mail}>
      <p className={layout.lead}>{t.mailLead}</p>
      <FormGrid>
        <FieldRow label={t.mailFrom}>{mailFrom}</FieldRow>
        <FieldRow label={t.mailServer}>{mailServer === '' ? t.mailServerNone : mailServer}</FieldRow>
      </FormGrid>
      <Button isPending={test.isPending} onClick={() => void send()}>
        {t.mailTest}
      </Button>
      <output className={styles.outcome}>
        {test.isPending ? t.mailTesting : test.data !== undefined && <Outcome outcome={test.data} />}
      </output>
    </Card>
  )
}

function Outcome({ outcome }: { outcome: OutputOf<typeof sendTestMail> }) {
  const t = usePortalMessages().settings
  const { email, state, path, problem = 'other', detail } = outcome
  if (state === 'sent') return t.mailSent(email)
  if (state === 'written') return t.mailWritten(path)
  return (
    <>
      <strong className={styles.failed}>{t.mailFailed(email)}</strong>
      <br />
      {t.mailProblems[problem]}
      {detail !== '' && (
        <>
          <br />
          <span className={layout.hint}>{t.mailDetail(detail)}</span>
        </>
      )}
    </>
  )
}
