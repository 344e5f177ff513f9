import { useMemo } from 'react'
import * as z from 'zod/mini'
import { anyText } from '../../../contract/fields.ts'
import {
  MAIL_SECURITY,
  mailServerForm,
  MAX_MAIL_PASSWORD,
  MAX_PORT,
  updateMailServer,
  USUAL_MAIL_PORT,
} from '../../../contract/settings/mail.ts'
import { CallError } from '../../api/call-error.ts'
import { useCall } from '../../api/query.ts'
import { BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { ConflictCard } from '../../forms/conflict-card.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import { useBusy } from '../../forms/use-busy.tsx'
import { useSavedRecord } from '../../forms/use-saved-record.ts'
import { usePortalMessages } from '../../language.tsx'
import { useReachesAdministrators } from '../../layout/use-permission.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { FormActions, FormGrid } from '../../ui/form-grid.tsx'
import { showToast } from '../../ui/toasts.ts'
import layout from '../../ui/layout.module.css'
import { type SettingsRecord, variableOf } from './form-values.ts'
import { useSettingsTexts } from './settings-texts.ts'

/** The saved settings and the way to read them again. */
interface Props {
  record: SettingsRecord
  /** Reads the settings again. @returns undefined on failure */
  reload: () => Promise<SettingsRecord | undefined>
}

/** Fields that the environment variable of the mail server fixes together, for `fixedIn`. */
const SERVER_FIELDS = ['mailHost', 'mailPort', 'mailSecurity', 'mailUser', 'mailPassword'] as const

/** Message key of a port out of range. */
const range = `numberRange|1~${MAX_PORT}`

/** The form's schema: the port is typed, and the password is empty to keep the saved one. */
const typedRules = z.extend(mailServerForm, {
  mailPort: z.string().check(
    z.trim(),
    z.minLength(1, 'required'),
    z.refine((text) => text === '' || (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= MAX_PORT), range),
  ),
  mailPassword: anyText(MAX_MAIL_PASSWORD),
})
/** Values of the form. */
type Values = z.output<typeof typedRules>

/** Returns the mail settings as the form edits them: the password is empty. */
const valuesOf = ({ mailHost, mailPort, mailSecurity, mailUser, mailFrom }: SettingsRecord): Values => ({
  mailHost,
  mailPort: String(mailPort),
  mailSecurity,
  mailUser,
  mailPassword: '',
  mailFrom,
})

/** Returns the fields that an environment variable fixes; none if the user may change all. */
const fixedIn = (record: SettingsRecord): readonly (keyof Values)[] => [
  ...(variableOf(record, 'mailServer') === undefined ? [] : SERVER_FIELDS),
  ...(variableOf(record, 'mailFrom') === undefined ? [] : (['mailFrom'] as const)),
]

/**
 * Shows mail server and sender, with a form of their own (`updateMailServer`) and detection of edit conflicts
 * (rules/settings#mail-server). Fields that an environment variable fixes are read-only and not sent; all are read-only
 * for users who may not administer administrators. Without a field to change there is no button. MAIL_PASSWORD_REQUIRED
 * is shown at the password.
 */
export function MailServerCard({ record, reload }: Props) {
  const { fields } = usePortalMessages()
  const t = useSettingsTexts()
  const update = useCall(updateMailServer)
  const { during, overlay } = useBusy()
  const isLocked = useReachesAdministrators() === false
  const fixed = useMemo(() => fixedIn(record), [record])
  const rules = useMemo(
    // The user cannot correct what a variable fixes.
    () =>
      z.extend(
        typedRules,
        Object.fromEntries(fixed.map((name) => [name, z.any()])),
      ) as unknown as typeof typedRules,
    [fixed],
  )
  const form = useSchemaForm<Values>(rules, valuesOf(record))
  const { base, conflict, confirmSave, takeTheirs, beginAgain, beginAnew } = useSavedRecord(form, {
    record,
    reload,
    valuesOf,
  })

  async function save({ mailPassword, mailPort, ...values }: Values): Promise<void> {
    if (!(await confirmSave())) return
    const input = { ...values, mailPort: Number(mailPort), ...(mailPassword !== '' && { mailPassword }) }
    const free = Object.entries(input).filter(([name]) => !fixed.some((field) => field === name))
    try {
      await during(t.saving, () =>
        update.mutateAsync({
          ...(Object.fromEntries(free) as Partial<typeof input>),
          version: base.mailVersion,
        }),
      )
      showToast(input.mailHost === '' && !fixed.includes('mailHost') ? t.mailRemoved : t.mailSaved)
      await beginAnew()
    } catch (error) {
      await showRefusalOnField(error, form, { MAIL_PASSWORD_REQUIRED: 'mailPassword' })
      if (error instanceof CallError && error.code === 'RECORD_CHANGED') await beginAgain()
    }
  }

  /** Returns the name, label and description of a field, which is read-only if an environment variable fixes it. */
  function fieldOf(name: keyof Values, hint?: string) {
    const variable = variableOf(record, name === 'mailFrom' ? 'mailFrom' : 'mailServer')
    return {
      name,
      label: fields[name],
      isReadOnly: isLocked || variable !== undefined,
      description: variable === undefined ? hint : t.fixed(variable),
    }
  }

  /** Replaces the usual port of another kind of security by that of the chosen one. Any other port stays. */
  function followSecurity(chosen: string): void {
    for (const way of MAIL_SECURITY)
      if (way !== chosen && form.getValues('mailPort') === String(USUAL_MAIL_PORT[way]))
        form.setValue('mailPort', String(USUAL_MAIL_PORT[form.getValues('mailSecurity')]), {
          shouldDirty: true,
        })
  }

  return (
    <Form form={form} draft={null} onSubmit={save} className={layout.contents}>
      {conflict && (
        <ConflictCard key={base.mailVersion} isOverwriting={conflict.length > 0} onTake={takeTheirs}>
          <FactList facts={conflict.map((name) => [fields[name], valuesOf(base)[name] || t.empty])} />
        </ConflictCard>
      )}
      <Card title={t.mailServer}>
        <p className={layout.lead}>{isLocked ? t.mailReach : t.mailLead}</p>
        <FormGrid>
          <BoundText<Values> {...fieldOf('mailHost', t.mailHostHint)} autoComplete="off" />
          <BoundSelect<Values>
            {...fieldOf('mailSecurity')}
            choices={fixedChoices(MAIL_SECURITY.map((value) => ({ value, label: t.mailSecurity[value] })))}
            onChanged={followSecurity}
          />
          <BoundText<Values> {...fieldOf('mailPort')} inputMode="numeric" autoComplete="off" />
          <BoundText<Values> {...fieldOf('mailUser', t.mailUserHint)} autoComplete="off" />
          <BoundText<Values>
            {...fieldOf('mailPassword', base.mailPasswordSet ? t.mailPasswordKept : t.mailPasswordNew)}
            type="password"
            autoComplete="new-password"
          />
          <BoundText<Values> {...fieldOf('mailFrom', t.mailFromHint)} autoComplete="off" isRequired />
        </FormGrid>
        {!isLocked && fixed.length < SERVER_FIELDS.length + 1 && (
          <FormActions>
            <Button type="submit" variant="primary">
              {t.mailSave}
            </Button>
          </FormActions>
        )}
      </Card>
      {overlay}
    </Form>
  )
}
