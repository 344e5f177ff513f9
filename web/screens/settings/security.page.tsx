import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { SETTING_LAWS } from '../../../contract/law-references.ts'
import { citationsOf } from '../../../contract/laws.ts'
import { labelsOf } from '../../../contract/settings/declared.ts'
import {
  getSecurity,
  MAX_ADMIN_NETWORKS,
  MAX_EMERGENCY_ACCOUNTS,
  SECURITY_NAMES,
  SECURITY_SETTINGS,
  updateSecurity,
} from '../../../contract/settings/security.ts'
import { CallError } from '../../api/call-error.ts'
import { reloadConfig } from '../../api/config.ts'
import { prefetch, recordQuery, useCall } from '../../api/query.ts'
import { BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { BoundArea } from '../../forms/bound-text.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { ConflictCard } from '../../forms/conflict-card.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { LoadedRecord } from '../../forms/record-states.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import { useBusy } from '../../forms/use-busy.tsx'
import { useSavedRecord } from '../../forms/use-saved-record.ts'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { useReachesAdministrators } from '../../layout/use-permission.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { FormActions, FormGrid } from '../../ui/form-grid.tsx'
import { History } from '../audit/history.tsx'
import { useSecurityTexts } from './security-texts.ts'
import {
  type SecurityRecord,
  securityRules,
  type SecurityValues,
  settingsOf,
  valuesOf,
} from './security-values.ts'
import { linesOf } from './lines.ts'
import { useScrollToPart } from './use-scroll-to-part.ts'
import layout from '../../ui/layout.module.css'
import styles from './settings.module.css'
import { showToast } from '../../ui/toasts.ts'

/** Query for the security settings. */
const securityQuery = recordQuery(getSecurity, {})

/** Prefetches the security settings. */
export function load(): void {
  void prefetch(securityQuery)
}

/**
 * The page /setting/security (rules/settings#security): second factors, single sign-on, sessions, the networks of
 * administrators, records, backups and uploads.
 */
export default function Security() {
  const { titles } = usePortalMessages()
  const t = useSecurityTexts()
  const settings = useQuery(securityQuery)
  return (
    <Page title={titles.settingSecurity}>
      <LoadedRecord query={settings} title={t.sessions} loading={t.loading} failed={t.failed}>
        {(record) => <SecurityForm record={record} reload={async () => (await settings.refetch()).data} />}
      </LoadedRecord>
    </Page>
  )
}

/** Name of a card. */
type SettingCard = (typeof SECURITY_SETTINGS)[keyof typeof SECURITY_SETTINGS]['card']

/** The saved settings and the way to read them again. */
interface Props {
  record: SecurityRecord
  /** Reads the settings again. @returns undefined on failure */
  reload: () => Promise<SecurityRecord | undefined>
}

/** Returns the names of the chosen roles, separated by commas; '' for none. Leaves out roles that no longer exist. */
const namesOf = ({ roles }: SecurityRecord, chosen: readonly string[]) =>
  roles
    .filter(({ roleCode }) => chosen.includes(roleCode))
    .map(({ roleName }) => roleName)
    .join(', ')

/**
 * Shows the form of /setting/security. It is saved as a whole (`updateSecurity`), with detection of edit conflicts;
 * then the configuration of the page is loaded again. ADDRESS_SHUTS_OUT, EMERGENCY_ACCOUNT_NEEDED and
 * EMERGENCY_ACCOUNT_UNFIT are shown at their fields. For users who may not administer administrators all fields are
 * read-only, and no button saves.
 */
export function SecurityForm({ record, reload }: Props) {
  const fields = useSecurityLabels()
  const t = useSecurityTexts()
  const { language } = useLanguage()
  const update = useCall(updateSecurity)
  const { during, overlay } = useBusy()
  const isLocked = useReachesAdministrators() === false
  const rules = useMemo(() => securityRules(t.networkLine, record.fixed), [t, record.fixed])
  const form = useSchemaForm<SecurityValues, SecurityValues>(rules, valuesOf(record))
  const { base, conflict, confirmSave, takeTheirs, beginAgain, beginAnew } = useSavedRecord(form, {
    record,
    reload,
    valuesOf,
  })

  useScrollToPart()
  const shown = { fixed: base.fixed, isLocked }

  async function save(values: SecurityValues): Promise<void> {
    if (!(await confirmSave())) return
    const { version } = base
    try {
      await during(t.saving, () => update.mutateAsync({ ...settingsOf(values, base.fixed), version }))
      // Forms of this page follow the settings immediately. Without an answer they follow with the next page.
      await reloadConfig().catch(() => {})
      showToast(t.saved)
      await beginAnew()
    } catch (error) {
      await showRefusalOnField(error, form, {
        ADDRESS_SHUTS_OUT: 'adminNetworks',
        EMERGENCY_ACCOUNT_NEEDED: 'emergencyAccounts',
        EMERGENCY_ACCOUNT_UNFIT: 'emergencyAccounts',
      })
      if (error instanceof CallError && error.code === 'RECORD_CHANGED') await beginAgain()
    }
  }

  /** The saved values, as the card of a conflict shows them. */
  const saved: Record<keyof SecurityValues, string> = {
    ...valuesOf(base),
    factorRoles: namesOf(base, base.factorRoles) || t.none,
    trustRoles: namesOf(base, base.trustRoles) || t.none,
    ssoRoles: namesOf(base, base.ssoRoles) || t.none,
    emergencyAccounts: base.emergencyAccounts.join(', ') || t.none,
    factorGraceDays: t.days(base.factorGraceDays),
    validityEnd: SECURITY_SETTINGS.validityEnd.choices[base.validityEnd][language],
    phoneNumbers: SECURITY_SETTINGS.phoneNumbers.choices[base.phoneNumbers][language],
    grantReasons: SECURITY_SETTINGS.grantReasons.choices[base.grantReasons][language],
    nameSearch: SECURITY_SETTINGS.nameSearch.choices[base.nameSearch][language],
    profileEditors: SECURITY_SETTINGS.profileEditors.choices[base.profileEditors][language],
    sessionBinding: SECURITY_SETTINGS.sessionBinding.choices[base.sessionBinding][language],
    adminNetworks: base.adminNetworks.join(', ') || t.none,
  }

  /**
   * Adds the address of this browser, as the server sees it, to the networks of administrators in the form, if it is
   * not there. Saves nothing.
   */
  function addHere(): void {
    const networks = linesOf(form.getValues('adminNetworks'))
    if (!networks.includes(base.address)) networks.push(base.address)
    form.setValue('adminNetworks', networks.join('\n'), { shouldDirty: true, shouldValidate: true })
  }

  return (
    <>
      <Form form={form} onSubmit={save} className={layout.contents}>
        {conflict && (
          <ConflictCard key={base.version} isOverwriting={conflict.length > 0} onTake={takeTheirs}>
            <FactList facts={conflict.map((name) => [fields[name], saved[name]])} />
          </ConflictCard>
        )}
        <div id="profiles">
          <SettingsCard card="profiles" {...shown} />
        </div>
        <SettingsCard card="factors" {...shown}>
          <RoleChoice name="factorRoles" roles={base.roles} isLocked={isLocked} />
          <RoleChoice name="trustRoles" roles={base.roles} isLocked={isLocked} />
        </SettingsCard>
        <Card title={t.sso}>
          <FormGrid columns={1} labels="top">
            <RoleChoice name="ssoRoles" roles={base.roles} isLocked={isLocked} />
            <BoundArea<SecurityValues>
              name="emergencyAccounts"
              label={fields.emergencyAccounts}
              description={t.emergencyAccountsHint(MAX_EMERGENCY_ACCOUNTS)}
              rows={3}
              isReadOnly={isLocked}
            />
          </FormGrid>
        </Card>
        <SettingsCard card="sessions" {...shown} />
        <Card title={t.admins}>
          <p className={layout.lead}>{t.adminNetworksLead}</p>
          <FormGrid columns={1} labels="top">
            <BoundArea<SecurityValues>
              name="adminNetworks"
              label={fields.adminNetworks}
              description={t.adminNetworksHint(MAX_ADMIN_NETWORKS)}
              rows={5}
              isReadOnly={isLocked}
            />
          </FormGrid>
          <div className={layout.underField}>
            <Button size="small" isDisabled={isLocked} onClick={addHere}>
              {t.here(base.address)}
            </Button>
          </div>
        </Card>
        <SettingsCard card="records" {...shown} />
        <SettingsCard card="backups" {...shown} />
        <SettingsCard card="uploads" {...shown} />
        {isLocked ? (
          <p className={layout.lead}>{t.reach}</p>
        ) : (
          <FormActions>
            <Button type="submit" variant="primary">
              {t.save}
            </Button>
          </FormActions>
        )}
      </Form>
      <History recordKind="setting" />
      {overlay}
    </>
  )
}

/** A card, and whether its fields are read-only. */
interface FieldsProps extends Pick<SecurityRecord, 'fixed'> {
  card: SettingCard
  isLocked: boolean
}

/** Shows a card with the children and below them the fields of its settings. */
function SettingsCard({ children, ...fields }: FieldsProps & { children?: ReactNode }) {
  const t = useSecurityTexts()
  return (
    <Card title={t[fields.card]}>
      <FormGrid columns={1} labels="top">
        {children}
        <SettingFields {...fields} />
      </FormGrid>
    </Card>
  )
}

/**
 * Shows the fields of the settings that belong to a card; read-only ones name the environment variable that fixes them.
 */
function SettingFields({ card, fixed, isLocked }: FieldsProps) {
  const { language } = useLanguage()
  const t = useSecurityTexts()
  return SECURITY_NAMES.filter((name) => SECURITY_SETTINGS[name].card === card).map((name) => {
    const setting = SECURITY_SETTINGS[name]
    const variable = fixed.find(({ field }) => field === name)?.variable
    const hint =
      'max' in setting
        ? setting.hint[language](setting.max, 'min' in setting ? setting.min : 0)
        : setting.hint[language]
    const ground = citationsOf(SETTING_LAWS[name] ?? [], language)
    const shared = {
      name,
      label: setting.label[language],
      description: variable === undefined ? t.ground(hint, ground) : t.fixed(variable),
      isRequired: true,
      isReadOnly: isLocked || variable !== undefined,
    }
    return 'max' in setting ? (
      <BoundText<SecurityValues> key={name} {...shared} inputMode="numeric" autoComplete="off" />
    ) : (
      <BoundSelect<SecurityValues>
        key={name}
        {...shared}
        choices={fixedChoices(
          Object.entries(setting.choices).map(([value, label]) => ({ value, label: label[language] })),
        )}
      />
    )
  })
}

/** Returns the labels of the fields in the current language. */
function useSecurityLabels() {
  const { fields } = usePortalMessages()
  const { language } = useLanguage()
  return { ...fields, ...labelsOf(SECURITY_SETTINGS, language) }
}

/** The roles and the field that selects among them. */
interface RoleChoiceProps extends Pick<SecurityRecord, 'roles'> {
  name: 'factorRoles' | 'trustRoles' | 'ssoRoles'
  isLocked: boolean
}

/**
 * Shows a checkbox per role. `name` tells what is selected: roles that require a second factor
 * (rules/settings#required-factors), whose users may trust devices (rules/settings#trusted-devices), or whose users log
 * in by single sign-on alone (rules/sso#required).
 */
function RoleChoice({ name, roles, isLocked }: RoleChoiceProps) {
  const label = usePortalMessages().fields[name]
  const t = useSecurityTexts()
  const { control } = useFormContext<SecurityValues>()
  const { field } = useController({ control, name })
  const choose = (role: string, isChosen: boolean) =>
    field.onChange([...field.value.filter((one) => one !== role), ...(isChosen ? [role] : [])].toSorted())
  return (
    <fieldset className={styles.roles}>
      <legend>{label}</legend>
      <div className={layout.row}>
        {roles.map(({ roleCode, roleName }) => (
          <Checkbox
            key={roleCode}
            label={roleName}
            value={field.value.includes(roleCode)}
            isDisabled={isLocked}
            onChange={(isChosen) => choose(roleCode, isChosen)}
            onBlur={field.onBlur}
          />
        ))}
      </div>
      <p className={layout.hint}>{t[`${name}Hint`]}</p>
    </fieldset>
  )
}
