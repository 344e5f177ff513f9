import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { citationOf } from '../../../contract/laws.ts'
import {
  getPrivacyNotice,
  MAX_PRIVACY_NOTICE,
  privacyForm,
  publishPrivacyNotice,
} from '../../../contract/settings/privacy.ts'
import { CallError } from '../../api/call-error.ts'
import { reloadConfig } from '../../api/config.ts'
import { prefetch, recordQuery, useCall } from '../../api/query.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { BoundCheckbox } from '../../forms/bound-checkbox.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { LoadedRecord } from '../../forms/record-states.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import { useBusy } from '../../forms/use-busy.tsx'
import { useSavedRecord } from '../../forms/use-saved-record.ts'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { columnsOf } from '../../lists/columns.ts'
import { QueryTable } from '../../lists/query-table.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FormActions, FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { showToast } from '../../ui/toasts.ts'
import { usePrivacyTexts } from '../account/privacy-texts.ts'

/** The rendered notice, whose code loads with the preview. */
const PrivacyNotice = lazy(async () => ({
  default: (await import('../account/privacy-notice.tsx')).PrivacyNotice,
}))

/** The published versions and the texts of the latest one. */
type Saved = OutputOf<typeof getPrivacyNotice>
/** Input of the form. */
type Values = z.input<typeof privacyForm>

/** Query for the privacy notice. */
const noticeQuery = recordQuery(getPrivacyNotice, {})

/** Returns the texts of the saved notice as the form edits them. */
const valuesOf = ({ noticeText, noticeTextEn }: Saved): Values => ({
  noticeText,
  noticeTextEn,
  isMaterial: false,
})

/** Prefetches the privacy notice. */
export function load(): void {
  void prefetch(noticeQuery)
}

/**
 * The page /setting/privacy (rules/settings#privacy-notice): the versions of the privacy notice with the number of
 * users who accepted each, and the form that publishes the next one.
 */
export default function PrivacySettings() {
  const { titles } = usePortalMessages()
  const { language } = useLanguage()
  const t = usePrivacyTexts()
  const found = useQuery(noticeQuery)
  const { column } = columnsOf<Saved['versions'][number], keyof typeof t.columns>(t.columns)
  return (
    <Page title={titles.settingPrivacy}>
      <p className={layout.quiet}>{t.lead}</p>
      <p className={layout.quiet}>{t.legal(citationOf('privacyNoticeContents', language))}</p>
      <div className={layout.parts}>
        <Card title={t.versions}>
          <QueryTable
            query={found}
            texts={{ ...t, results: t.versions }}
            columns={[
              column('privacyVersion', ({ privacyVersion }) => String(privacyVersion), {
                isRowHeader: true,
                width: 80,
              }),
              column('publishedAt', ({ publishedAt }) => publishedAt, { width: 190 }),
              column('isMaterial', ({ isMaterial }) => (isMaterial ? t.again : t.notAgain), { width: 110 }),
              column('name', ({ name, userId }) => `${name} (${userId})`, { wraps: 'words' }),
              column('acceptedCount', ({ acceptedCount }) => t.people(acceptedCount), { width: 130 }),
            ]}
            rows={found.data?.versions ?? []}
            getRowKey={({ privacyVersion }) => String(privacyVersion)}
            leastRows={3}
          />
        </Card>
        <LoadedRecord query={found} title={t.edit} loading={t.loading} failed={t.failed}>
          {(record) => <NoticeForm record={record} reload={async () => (await found.refetch()).data} />}
        </LoadedRecord>
      </div>
    </Page>
  )
}

/**
 * Shows the form of the next version, with a preview. It publishes after a question (`publishPrivacyNotice`) and loads
 * the configuration of the page again. After an edit conflict it keeps unsaved input.
 */
function NoticeForm({ record, reload }: { record: Saved; reload: () => Promise<Saved | undefined> }) {
  const t = usePrivacyTexts()
  const publish = useCall(publishPrivacyNotice)
  const { during, overlay } = useBusy()
  const form = useSchemaForm<Values, z.output<typeof privacyForm>>(privacyForm, valuesOf(record))
  const { base, confirmSave, beginAgain, beginAnew } = useSavedRecord(form, { record, reload, valuesOf })

  async function save(values: z.output<typeof privacyForm>): Promise<void> {
    if (!(await confirmSave()) || !(await dialogs.confirm(t.publishQuestion))) return
    try {
      const { privacyVersion } = await during(t.publish, () =>
        publish.mutateAsync({ ...values, version: base.version }),
      )
      // The footer of this page.
      await reloadConfig().catch(() => undefined)
      showToast(t.published(privacyVersion))
      await beginAnew()
    } catch (error) {
      await showRefusalOnField(error, form, {})
      if (error instanceof CallError && error.code === 'RECORD_CHANGED') await beginAgain()
    }
  }

  return (
    <>
      <Form form={form} onSubmit={save} className={layout.contents}>
        <Card title={t.edit} actions={<TemplateButton />}>
          <div className={layout.stack}>
            <p className={layout.quiet}>{t.templateLead}</p>
            <FormGrid columns={1} labels="top">
              <BoundArea<Values>
                name="noticeText"
                label={t.korean}
                rows={18}
                maxLength={MAX_PRIVACY_NOTICE}
                isRequired
              />
              <BoundArea<Values>
                name="noticeTextEn"
                label={t.english}
                rows={10}
                maxLength={MAX_PRIVACY_NOTICE}
                description={t.englishHint}
              />
            </FormGrid>
            {record.versions.length > 0 && <BoundCheckbox<Values> name="isMaterial" label={t.isMaterial} />}
            <FormActions>
              <Button type="submit" variant="primary">
                {t.publish}
              </Button>
            </FormActions>
          </div>
        </Card>
        <Preview />
      </Form>
      {overlay}
    </>
  )
}

/**
 * Shows a button that loads the Korean template, appends it to the Korean text of the form and focuses it
 * (rules/settings#privacy-template). Saves nothing.
 */
function TemplateButton() {
  const t = usePrivacyTexts()
  const { getValues, setValue, setFocus } = useFormContext<Values>()

  async function insert() {
    const { PRIVACY_TEMPLATE } = await import('../../../contract/messages/ko/privacy-template.ts')
    const before = getValues('noticeText').trim()
    setValue('noticeText', before === '' ? PRIVACY_TEMPLATE : `${before}\n\n${PRIVACY_TEMPLATE}`, {
      shouldDirty: true,
    })
    setFocus('noticeText')
  }

  return (
    <Button size="small" onClick={() => void insert()}>
      {t.template}
    </Button>
  )
}

/** Shows the Korean and the English privacy notice as the form has them, once the user has opened the preview. */
function Preview() {
  const t = usePrivacyTexts()
  const [isOpen, setOpen] = useState(false)
  const [noticeText, noticeTextEn] = useWatch<Values, ['noticeText', 'noticeTextEn']>({
    name: ['noticeText', 'noticeTextEn'],
  })
  return (
    <Card
      title={t.preview}
      actions={
        <Button size="small" aria-pressed={isOpen} onClick={() => setOpen(!isOpen)}>
          {t.preview}
        </Button>
      }
    >
      {isOpen && (
        <Suspense fallback={<p className={layout.quiet}>{t.reading}</p>}>
          <PrivacyNotice text={noticeText} />
          <PrivacyNotice text={noticeTextEn} />
        </Suspense>
      )}
    </Card>
  )
}
