import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { listMailTemplates, MAIL_KINDS } from '../../../contract/settings/mail-templates.ts'
import { prefetch, recordQuery } from '../../api/query.ts'
import { LoadedRecord } from '../../forms/record-states.tsx'
import { usePortalMessages } from '../../language.tsx'
import { useReachesAdministrators } from '../../layout/use-permission.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import styles from './mail-template.module.css'
import { MailTemplateDialog } from './mail-template-dialog.tsx'
import { useMailTemplateTexts } from './mail-template-texts.ts'

/** The template of a kind of mail in a language. */
type Template = OutputOf<typeof listMailTemplates>['templates'][number]

/** Query for the templates. */
const templatesQuery = recordQuery(listMailTemplates, {})

/** Prefetches the mail templates. */
export function load(): void {
  void prefetch(templatesQuery)
}

/**
 * The page /setting/mail (rules/settings#mail-templates): the kinds of mail, with a button per language that opens its
 * template. For users who may not administer administrators all buttons are disabled.
 */
export default function MailTemplates() {
  const { titles } = usePortalMessages()
  const t = useMailTemplateTexts()
  const found = useQuery(templatesQuery)
  const [edited, setEdited] = useState<Template>()
  const isLocked = useReachesAdministrators() === false

  return (
    <Page title={titles.settingMail}>
      <p className={layout.quiet}>{t.lead}</p>
      {isLocked && <p className={layout.warning}>{t.reachHint}</p>}
      <LoadedRecord query={found} title={titles.settingMail} loading={t.loading} failed={t.failed}>
        {({ templates }) => (
          <Card title={titles.settingMail}>
            <ul className={styles.kinds}>
              {MAIL_KINDS.map((mailKind) => (
                <li key={mailKind}>
                  {t.kinds[mailKind]}
                  <span className={layout.row}>
                    {templates
                      .filter((template) => template.mailKind === mailKind)
                      .map((template) => (
                        <Fragment key={template.language}>
                          <State template={template} />
                          <Button
                            size="small"
                            aria-label={t.editOf(t.kinds[mailKind], t.languages[template.language])}
                            isDisabled={isLocked}
                            onClick={() => setEdited(template)}
                          >
                            {t.languages[template.language]}
                          </Button>
                        </Fragment>
                      ))}
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </LoadedRecord>
      {edited !== undefined && (
        <MailTemplateDialog
          template={edited}
          onChanged={() => found.refetch()}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  )
}

/**
 * Shows a badge on an invalid template, for which mails use the shipped text, or on an edited one. Shows nothing on a
 * shipped one.
 */
function State({ template: { isInvalid, mailSubject, mailText } }: { template: Template }) {
  const t = useMailTemplateTexts()
  if (isInvalid) return <Badge tone="warning">{t.invalid}</Badge>
  return mailSubject + mailText === '' ? null : <Badge tone="info">{t.edited}</Badge>
}
