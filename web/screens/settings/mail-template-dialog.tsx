import { useWatch } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { mailSamples } from '../../../contract/messages/mails-samples.ts'
import {
  blocksOf,
  inBraces,
  type listMailTemplates,
  MAIL_TEMPLATES,
  mailTemplateForm,
  MAX_MAIL_SUBJECT,
  MAX_MAIL_TEXT,
  placeholdersOf,
  sendMailTemplate,
  subjectOf,
  updateMailTemplate,
} from '../../../contract/settings/mail-templates.ts'
import { call } from '../../api/client.ts'
import { usePortalConfig } from '../../api/config.ts'
import { useCall } from '../../api/query.ts'
import { BoundArea, BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import layout from '../../ui/layout.module.css'
import { MailOutcome } from './mail-outcome.tsx'
import styles from './mail-template.module.css'
import { useMailTemplateTexts } from './mail-template-texts.ts'

/** The template of a kind of mail in a language. */
type Template = OutputOf<typeof listMailTemplates>['templates'][number]
/** Input of the dialog. */
type Values = z.input<typeof mailTemplateForm>

/**
 * Shows the dialog that edits the template of a kind of mail in a language (`updateMailTemplate`), with its
 * placeholders and a preview. It begins with the shipped text until the company has its own. One button restores the
 * shipped text in the form, another sends the unsaved text as a sample to the user (`sendMailTemplate`).
 */
export function MailTemplateDialog(props: {
  template: Template
  onChanged: () => Promise<unknown>
  onClose: () => void
}) {
  const { template } = props
  const { mailKind, language, shippedSubject, shippedText, version } = template
  const { fields } = usePortalMessages()
  const t = useMailTemplateTexts()
  const sample = useCall(sendMailTemplate)
  const shipped = { mailSubject: shippedSubject, mailText: shippedText }
  /** Returns the values to save: '' for the shipped text, so that the mails follow a newer version. */
  const savedOf = ({ mailSubject, mailText, ...others }: Values): Values => ({
    ...others,
    mailSubject: mailSubject === shippedSubject ? '' : mailSubject,
    mailText: mailText === shippedText ? '' : mailText,
  })
  const dialog = useDialogForm({
    schema: mailTemplateForm,
    initial: {
      mailKind,
      language,
      mailSubject: template.mailSubject || shippedSubject,
      mailText: template.mailText || shippedText,
    },
    submit: (values) => call(updateMailTemplate, { ...savedOf(values), version }),
    done: () => t.saved,
    onChanged: props.onChanged,
    onClose: props.onClose,
  })
  const { form } = dialog

  /** Puts the shipped text into the form, without saving it. */
  function restore(): void {
    for (const name of ['mailSubject', 'mailText'] as const)
      form.setValue(name, shipped[name], { shouldDirty: true, shouldValidate: true })
  }

  const send = form.handleSubmit(async (values) => {
    await sample.mutateAsync(savedOf(values)).catch((error: unknown) => showRefusalOnField(error, form, {}))
  })

  const needs: readonly string[] = MAIL_TEMPLATES[mailKind].needs
  return (
    <FormDialog
      {...dialog}
      title={t.editOf(t.kinds[mailKind], t.languages[language])}
      about={`${mailKind} ${language}`}
      isWide
      submitLabel={t.save}
      className={layout.stack}
    >
      {template.isInvalid && <p className={layout.warning}>{t.invalidHint}</p>}
      {template.changedAt !== '' && (
        <p className={layout.hint}>{t.changedBy(template.name, template.userId, template.changedAt)}</p>
      )}
      <BoundText<Values> name="mailSubject" label={fields.mailSubject} maxLength={MAX_MAIL_SUBJECT} />
      <BoundArea<Values>
        name="mailText"
        label={fields.mailText}
        description={t.textHint}
        rows={10}
        maxLength={MAX_MAIL_TEXT}
      />
      <section aria-label={t.placeholders}>
        <FactList
          facts={placeholdersOf(mailKind, 'mailText').map((name) => [
            inBraces(name),
            needs.includes(name) ? `${t.meanings[name]} · ${t.needed}` : t.meanings[name],
          ])}
        />
      </section>
      <Preview template={template} />
      <div className={layout.row}>
        <Button size="small" onClick={restore}>
          {t.restore}
        </Button>
        <Button size="small" isPending={sample.isPending} onClick={() => void send()}>
          {t.sendToMe}
        </Button>
      </div>
      <MailOutcome pending={sample.isPending ? t.sending : undefined} outcome={sample.data} />
    </FormDialog>
  )
}

/**
 * Shows the mail that the form makes of sample values, in the language of the mail; the shipped text for an empty
 * field.
 */
function Preview({ template: { language, shippedSubject, shippedText } }: { template: Template }) {
  const t = useMailTemplateTexts()
  const [mailSubject, mailText] = useWatch<Values, ['mailSubject', 'mailText']>({
    name: ['mailSubject', 'mailText'],
  })
  const samples = { ...mailSamples[language], company: usePortalConfig().company }
  return (
    <section className={styles.preview} aria-label={t.preview}>
      <p className={layout.hint}>{t.preview}</p>
      <div lang={language}>
        <p>
          <b>{subjectOf(mailSubject.trim() || shippedSubject, samples)}</b>
        </p>
        {blocksOf(mailText.trim() || shippedText, samples).map((block, place) => {
          // Blocks have no identity, and all are drawn again with each letter.
          const key = String(place)
          if (typeof block === 'string') return <p key={key}>{block}</p>
          return (
            <p key={key} className={'code' in block ? styles.code : undefined}>
              {'code' in block ? block.code : samples.link}
            </p>
          )
        })}
      </div>
    </section>
  )
}
