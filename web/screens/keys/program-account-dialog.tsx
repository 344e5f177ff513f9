import * as z from 'zod/mini'
import { flag } from '../../../contract/fields.ts'
import {
  createProgramAccount,
  programAccountForm,
  TOKEN_NAME_LENGTH,
  updateProgramAccount,
} from '../../../contract/keys.ts'
import { type Scope, SCOPES } from '../../../contract/scopes.ts'
import { call } from '../../api/client.ts'
import { BoundCheckbox } from '../../forms/bound-checkbox.tsx'
import { BoundDate, BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { fixedChoices, useAffiliations } from '../../forms/choices.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import layout from '../../ui/layout.module.css'
import { showToast } from '../../ui/toasts.ts'
import { useProgramAccountTexts } from './program-account-texts.ts'
import type { ProgramAccount } from './program-accounts.page.tsx'
import { networksText, RightsFields } from './token-rights.tsx'

/** Schema of the dialog. */
const schema = z.strictObject({ ...programAccountForm, allowedNetworks: networksText, isEnabled: flag })
/** Values of the dialog. */
type Values = z.output<typeof schema>

/** The account, and what the user may give it. */
interface Props {
  /** The account to edit; null for a new one. */
  row: ProgramAccount | null
  /** Roles and scopes that the user may give to a program. */
  roles: { code: string; codeName: string }[]
  scopes: Scope[]
  /** Called after success, with the ID of a new account. */
  onDone: (newId?: string) => Promise<void>
  onClose: () => void
}

/**
 * Shows the dialog that registers a program account (`createProgramAccount`), or edits one and switches it on or off
 * (`updateProgramAccount`). Refusals such as PROGRAM_NAME_TAKEN and AFFILIATION_CLOSED are shown at their fields.
 */
export function ProgramAccountDialog({ row, roles, scopes, onDone, onClose }: Props) {
  const t = useProgramAccountTexts()
  const affiliations = useAffiliations({ isWhole: true })
  const initial = {
    programName: row?.programName ?? '',
    roleCode: row?.roleCode ?? '',
    affiliationCode: row?.affiliationCode ?? '',
    scopes: row?.scopes ?? [],
    allowedNetworks: row?.allowedNetworks.join('\n') ?? '',
    validTo: row?.validTo ?? '',
    isEnabled: row?.state !== 'off',
  }
  const form = useSchemaForm(schema, initial, 'onSubmit')
  // A scope that another user gave stays visible.
  const shown = SCOPES.filter((scope) => scopes.includes(scope) || initial.scopes.includes(scope))

  async function save({ isEnabled, ...values }: Values): Promise<void> {
    if (row === null) return onDone((await call(createProgramAccount, values)).accountId)
    const { accountId, version } = row
    await call(updateProgramAccount, { ...values, isEnabled, accountId, version })
    showToast(t.saved)
    await onDone()
  }

  return (
    <FormDialog
      title={row === null ? t.create : t.editOf(row.programName)}
      submitLabel={row === null ? t.create : t.save}
      about={row?.accountId}
      form={form}
      onSubmit={(values) =>
        save(values).catch((error: unknown) =>
          showRefusalOnField(error, form, {
            PROGRAM_NAME_TAKEN: 'programName',
            AFFILIATION_CLOSED: 'affiliationCode',
            INPUT_INVALID: 'allowedNetworks',
          }),
        )
      }
      onClose={onClose}
      className={layout.stack}
    >
      <BoundText<Values>
        name="programName"
        label={t.name}
        description={t.nameHint}
        isRequired
        maxLength={TOKEN_NAME_LENGTH}
        autoComplete="off"
      />
      <BoundSelect<Values>
        name="roleCode"
        label={t.role}
        description={t.roleHint}
        choices={fixedChoices(roles.map(({ code, codeName }) => ({ value: code, label: codeName })))}
        isRequired
      />
      <BoundSelect<Values>
        name="affiliationCode"
        label={t.affiliation}
        choices={affiliations}
        fallbackLabel={row?.affiliationName}
        isRequired
      />
      <RightsFields scopes={shown} hint={t.scopesHint} />
      <BoundDate<Values> name="validTo" label={t.validTo} description={t.validToHint} />
      {row !== null && <BoundCheckbox<Values> name="isEnabled" label={t.isEnabled} />}
    </FormDialog>
  )
}
