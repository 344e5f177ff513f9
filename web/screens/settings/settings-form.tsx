import { useEffect } from 'react'
import { updateSettings } from '../../../contract/settings.ts'
import { CallError } from '../../api/call-error.ts'
import { reloadConfig } from '../../api/config.ts'
import { useCall } from '../../api/query.ts'
import { BoundCheckbox } from '../../forms/bound-checkbox.tsx'
import { BoundText } from '../../forms/bound-text.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { useBusy } from '../../forms/use-busy.tsx'
import { useSavedRecord } from '../../forms/use-saved-record.ts'
import { useReachesAdministrators } from '../../frame/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FormActions, FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { History } from '../audit/history.tsx'
import { ChangedCard } from './changed-card.tsx'
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
import { OfficesCard } from './offices-card.tsx'
import { useSettingsTexts } from './settings-texts.ts'
import styles from './settings.module.css'

interface Props {
  record: SettingsRecord
  /** Reads the settings again; undefined when that failed. */
  reload: () => Promise<SettingsRecord | undefined>
}

/** The form of /setting/manage. It is saved as a whole, with detection of edit conflicts. */
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
      await dialogs.alert({ tone: 'success', message: t.saved })
      await beginAnew()
    } catch (error) {
      await showRefusalOnField(error, form, { LOGO_INVALID: 'logoImage' })
      if (error instanceof CallError && error.code === 'RECORD_CHANGED') await beginAgain()
    }
  }

  const isPortalLocked = useReachesAdministrators() === false
  /** Returns the field properties of a setting that an environment variable may fix. */
  const fixable = (name: string, hint: string) => {
    const variable = variableOf(base, name)
    return {
      isReadOnly: variable !== undefined,
      description: variable === undefined ? hint : t.fixed(variable),
    }
  }

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
                {...fixable('companyName', t.companyHint)}
              />
              <BoundText
                name="logoText"
                label={fields.logoText}
                autoComplete="off"
                isRequired
                {...fixable('logoText', t.logoTextHint)}
              />
              {(['companyNameEn', 'logoTextEn'] as const).map((name) => (
                <BoundText
                  key={name}
                  name={name}
                  label={fields[name]}
                  autoComplete="off"
                  {...fixable(name, t.englishHint)}
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
                {...fixable('portalUrl', t.portalHint)}
                {...(isPortalLocked && { isReadOnly: true, description: t.portalReach })}
                action={
                  variableOf(base, 'portalUrl') === undefined &&
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
          <OfficesCard
            variable={variableOf(base, 'offices')}
            englishVariable={variableOf(base, 'officesEn')}
          />
        </Part>
        <Card title={t.notices}>
          <p className={layout.lead}>{t.noticesLead}</p>
          <div className={layout.stack}>
            <BoundCheckbox name="noticeAcknowledgements" label={fields.noticeAcknowledgements} />
            <BoundCheckbox name="noticeComments" label={fields.noticeComments} />
          </div>
        </Card>
        <FormActions>
          <Button type="submit" variant="primary">
            {t.save}
          </Button>
        </FormActions>
      </Form>
      <Part id="mail">
        <MailCard record={base} />
      </Part>
      <History recordKind="setting" />
      {overlay}
    </>
  )
}

/** A section that the guide links to by the fragment of the URL. */
function Part({ id, children }: { id: string; children: React.ReactNode }) {
  return <div id={id}>{children}</div>
}

/** The form renders after the page, so the target of the URL's fragment exists only now. */
function useScrollToPart(): void {
  useEffect(() => {
    const part = location.hash === '' ? null : document.getElementById(location.hash.slice(1))
    part?.scrollIntoView({ block: 'center' })
    part?.querySelector<HTMLElement>('input:not([hidden]), button')?.focus({ preventScroll: true })
  }, [])
}
