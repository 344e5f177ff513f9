import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getSettings, updateSettings } from '../../../contract/settings.ts'
import { CallError } from '../../api/call-error.ts'
import { reloadConfig } from '../../api/config.ts'
import { prefetch, recordQuery, useCall } from '../../api/query.ts'
import { BoundCheckbox } from '../../forms/bound-checkbox.tsx'
import { BoundArea, BoundText } from '../../forms/bound-text.tsx'
import { ConflictCard } from '../../forms/conflict-card.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { LoadedRecord } from '../../forms/record-states.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import { useBusy } from '../../forms/use-busy.tsx'
import { useSavedRecord } from '../../forms/use-saved-record.ts'
import { usePortalMessages } from '../../language.tsx'
import { useReachesAdministrators } from '../../layout/use-permission.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { FormActions, FormGrid } from '../../ui/form-grid.tsx'
import { History } from '../audit/history.tsx'
import { CustomFieldsCard } from './custom-fields-card.tsx'
import {
  type CheckedSettings,
  rulesFor,
  sentOf,
  type SettingsRecord,
  type SettingsValues,
  valuesOf,
  variableOf,
} from './form-values.ts'
import { LogoField } from './logo-field.tsx'
import { MailCard } from './mail-card.tsx'
import { MailServerCard } from './mail-server-card.tsx'
import { OfficesCard } from './offices-card.tsx'
import { useSettingsTexts } from './settings-texts.ts'
import { useScrollToPart } from './use-scroll-to-part.ts'
import layout from '../../ui/layout.module.css'
import styles from './settings.module.css'
import { showToast } from '../../ui/toasts.ts'

/** Query for the settings. */
const settingsQuery = recordQuery(getSettings, {})

/** Prefetches the settings. */
export function load(): void {
  void prefetch(settingsQuery)
}

/**
 * The page /setting/manage (rules/settings#settings): company, logo, URL of the portal, offices, options of notices,
 * custom fields of users, and mail.
 */
export default function Settings() {
  const { titles, settings: texts } = usePortalMessages()
  const t = useSettingsTexts()
  const settings = useQuery(settingsQuery)
  return (
    <Page title={titles.settingManage} actions={<Link to="/setup">{texts.guide.hintLink}</Link>}>
      <LoadedRecord query={settings} title={t.company} loading={t.loading} failed={t.failed}>
        {(record) => <SettingsForm record={record} reload={async () => (await settings.refetch()).data} />}
      </LoadedRecord>
    </Page>
  )
}

/** The saved settings and the way to read them again. */
interface Props {
  record: SettingsRecord
  /** Reads the settings again. @returns undefined on failure */
  reload: () => Promise<SettingsRecord | undefined>
}

/**
 * Shows the forms of /setting/manage. Mail has its own; all else is saved as a whole (`updateSettings`), with detection
 * of edit conflicts. After a save the configuration of the page is loaded again. An unusable logo (LOGO_INVALID) is
 * refused at its field. The URL of the portal is read-only if an environment variable fixes it or the user may not
 * administer administrators.
 */
export function SettingsForm({ record, reload }: Props) {
  const { fields } = usePortalMessages()
  const t = useSettingsTexts()
  const update = useCall(updateSettings)
  const { during, overlay } = useBusy()
  const form = useSchemaForm<SettingsValues, CheckedSettings>(rulesFor(record), valuesOf(record))
  const { base, conflict, confirmSave, takeTheirs, beginAgain, beginAnew } = useSavedRecord(form, {
    record,
    reload,
    valuesOf,
  })
  useScrollToPart()

  async function save(values: CheckedSettings): Promise<void> {
    if (!(await confirmSave())) return
    try {
      await during(t.saving, () => update.mutateAsync({ ...sentOf(base, values), version: base.version }))
      // Header and footer of this page, which have it from its document.
      await reloadConfig().catch(() => undefined)
      showToast(t.saved)
      await beginAnew()
    } catch (error) {
      await showRefusalOnField(error, form, { LOGO_INVALID: 'logoImage' })
      if (error instanceof CallError && error.code === 'RECORD_CHANGED') await beginAgain()
    }
  }

  const isPortalLocked = useReachesAdministrators() === false
  const urlVariable = variableOf(base, 'portalUrl')

  return (
    <>
      <Form form={form} onSubmit={save} className={layout.contents}>
        {conflict && <ChangedCard key={base.version} saved={base} conflict={conflict} onTake={takeTheirs} />}
        <Part id="company">
          <Card title={t.company}>
            <FormGrid>
              <BoundText
                name="companyName"
                label={fields.companyName}
                autoComplete="off"
                isRequired
                description={t.companyHint}
              />
              <BoundText
                name="logoText"
                label={fields.logoText}
                autoComplete="off"
                isRequired
                description={t.logoTextHint}
              />
              {(['companyNameEn', 'logoTextEn'] as const).map((name) => (
                <BoundText
                  key={name}
                  name={name}
                  label={fields[name]}
                  autoComplete="off"
                  description={t.englishHint}
                />
              ))}
              <LogoField present={base.logo} />
            </FormGrid>
          </Card>
        </Part>
        <Part id="portal">
          <Card title={t.portal}>
            <FormGrid>
              <BoundText
                name="portalUrl"
                label={fields.portalUrl}
                autoComplete="off"
                placeholder={t.portalPlaceholder}
                isWide
                isReadOnly={urlVariable !== undefined}
                description={urlVariable === undefined ? t.portalHint : t.fixed(urlVariable)}
                {...(isPortalLocked && { isReadOnly: true, description: t.portalReach })}
                action={
                  urlVariable === undefined &&
                  !isPortalLocked && (
                    <Button
                      className={styles.here}
                      onClick={() =>
                        form.setValue('portalUrl', location.origin, {
                          shouldDirty: true,
                          shouldValidate: true,
                        })
                      }
                    >
                      {t.portalHere(location.origin)}
                    </Button>
                  )
                }
              />
            </FormGrid>
          </Card>
        </Part>
        <Part id="offices">
          <OfficesCard />
        </Part>
        <Card title={t.notices}>
          <p className={layout.lead}>{t.noticesLead}</p>
          <div className={layout.stack}>
            <BoundCheckbox name="noticeAcknowledgements" label={fields.noticeAcknowledgements} />
            <BoundCheckbox name="noticeComments" label={fields.noticeComments} />
          </div>
        </Card>
        <Part id="customFields">
          <CustomFieldsCard saved={base.customFields} />
        </Part>
        <Part id="positions">
          <Card title={fields.positions}>
            <BoundArea name="positions" label={fields.positions} description={t.positionsHint} rows={6} />
          </Card>
        </Part>
        <FormActions>
          <Button type="submit" variant="primary">
            {t.save}
          </Button>
        </FormActions>
      </Form>
      <Part id="mail">
        <MailServerCard record={record} reload={reload} />
      </Part>
      <MailCard ownEmail={base.ownEmail} mailVersion={record.mailVersion} />
      <History recordKind="setting" />
      {overlay}
    </>
  )
}

/** Renders a section with an ID, to which the setup guide links by the fragment of the URL. */
function Part({ id, children }: { id: string; children: React.ReactNode }) {
  return <div id={id}>{children}</div>
}

/** Values of the form. */
type FieldValues = ReturnType<typeof valuesOf>

/** The saved settings and the fields in conflict. */
interface ChangedProps {
  saved: SettingsRecord
  conflict: readonly (keyof FieldValues)[]
  onTake: () => void
}

/**
 * Shows, after an edit conflict, the saved values of the fields that both the user and another user have changed, so
 * that neither version is lost unseen.
 */
function ChangedCard({ saved, conflict, onTake }: ChangedProps) {
  const { fields } = usePortalMessages()
  const t = useSettingsTexts()
  const present = valuesOf(saved)
  const words = (value: FieldValues[keyof FieldValues]) =>
    typeof value === 'boolean'
      ? value
        ? t.on
        : t.off
      : Array.isArray(value)
        ? value.map(({ name }) => name).join(', ')
        : value
  return (
    <ConflictCard isOverwriting={conflict.length > 0} onTake={onTake}>
      <FactList facts={conflict.map((name) => [fields[name], words(present[name]) || t.empty])} />
    </ConflictCard>
  )
}
