import { useMemo } from 'react'
import {
  MAX_ADMIN_NETWORKS,
  SECURITY_NUMBERS,
  type SecurityNumber,
  SESSION_BINDINGS,
  updateSecurity,
} from '../../../contract/settings.ts'
import { CallError } from '../../api/call-error.ts'
import { useCall } from '../../api/query.ts'
import { BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { BoundArea } from '../../forms/bound-text.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { ConflictCard } from '../../forms/conflict-card.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { useBusy } from '../../forms/use-busy.tsx'
import { useSavedRecord } from '../../forms/use-saved-record.ts'
import { useReachesAdministrators } from '../../frame/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { FormActions, FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { History } from '../audit/history.tsx'
import { FactorRoles } from './factor-roles.tsx'
import { useSecurityTexts } from './security-texts.ts'
import {
  networksOf,
  type SecurityRecord,
  securityRules,
  type SecurityValues,
  settingsOf,
  valuesOf,
} from './security-values.ts'

interface Props {
  record: SecurityRecord
  /** Reads the settings again; undefined when that failed. */
  reload: () => Promise<SecurityRecord | undefined>
}

/** The roles that have to have a second factor, by name. */
const rolesIn = ({ roles, factorRoles }: SecurityRecord) =>
  roles
    .filter(({ roleCode }) => factorRoles.includes(roleCode))
    .map(({ roleName }) => roleName)
    .join(', ')

/** The form of /setting/security: saved as a whole, against what somebody else saves meanwhile. */
export function SecurityForm({ record, reload }: Props) {
  const { fields } = usePortalMessages()
  const t = useSecurityTexts()
  const update = useCall(updateSecurity)
  const { during, overlay } = useBusy()
  const isLocked = useReachesAdministrators() === false
  const rules = useMemo(() => securityRules(t.networkLine), [t])
  const form = useSchemaForm<SecurityValues, SecurityValues>(rules, valuesOf(record))
  const { base, conflict, confirmSave, takeTheirs, beginAgain, beginAnew } = useSavedRecord(form, {
    record,
    reload,
    valuesOf,
  })

  async function save(values: SecurityValues): Promise<void> {
    if (!(await confirmSave())) return
    const { version } = base
    try {
      await during(t.saving, () => update.mutateAsync({ ...settingsOf(values), version }))
      await dialogs.alert({ tone: 'success', message: t.saved })
      await beginAnew()
    } catch (error) {
      await showRefusalOnField(error, form, { ADDRESS_SHUTS_OUT: 'adminNetworks' })
      if (error instanceof CallError && error.code === 'RECORD_CHANGED') await beginAgain()
    }
  }

  /** The saved values, as the card of a conflict shows them. */
  const saved: Record<keyof SecurityValues, string> = {
    ...valuesOf(base),
    factorRoles: rolesIn(base) || t.none,
    factorGraceDays: t.days(base.factorGraceDays),
    sessionBinding: t.bindings[base.sessionBinding],
    adminNetworks: base.adminNetworks.join(', ') || t.none,
  }

  function addHere(): void {
    const networks = networksOf(form.getValues('adminNetworks'))
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
        <Card title={t.factors}>
          <FormGrid columns={1} labels="top">
            <FactorRoles roles={base.roles} isLocked={isLocked} />
            <NumberField name="factorGraceDays" isLocked={isLocked} />
          </FormGrid>
        </Card>
        <Card title={t.sessions}>
          <FormGrid columns={1} labels="top">
            <NumberField name="sessionLimit" isLocked={isLocked} />
            <BoundSelect<SecurityValues>
              name="sessionBinding"
              label={fields.sessionBinding}
              description={t.sessionBindingHint}
              choices={fixedChoices(SESSION_BINDINGS.map((value) => ({ value, label: t.bindings[value] })))}
              isRequired
              isReadOnly={isLocked}
            />
          </FormGrid>
        </Card>
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
        <Card title={t.uploads}>
          <FormGrid columns={1} labels="top">
            <NumberField name="uploadQuotaMb" isLocked={isLocked} />
          </FormGrid>
        </Card>
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

/** A setting that is a number from 0 to its bound. */
function NumberField({ name, isLocked }: { name: SecurityNumber; isLocked: boolean }) {
  const { fields } = usePortalMessages()
  const { numberHints } = useSecurityTexts()
  return (
    <BoundText<SecurityValues>
      name={name}
      label={fields[name]}
      description={numberHints[name](SECURITY_NUMBERS[name])}
      inputMode="numeric"
      autoComplete="off"
      isRequired
      isReadOnly={isLocked}
    />
  )
}
