import { useMemo, useState } from 'react'
import * as z from 'zod/mini'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { anyText } from '../../../contract/fields.ts'
import {
  CLIENT_SECRET_LENGTH,
  createProvider,
  FIRST_LOGINS,
  type listProviders,
  providerForm,
  SUBJECT_CLAIMS,
  type SubjectClaim,
  updateProvider,
} from '../../../contract/sso.ts'
import { call } from '../../api/client.ts'
import { BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { BoundArea } from '../../forms/bound-text.tsx'
import { BoundCheckbox } from '../../forms/bound-checkbox.tsx'
import { fixedChoices, useChoiceTexts } from '../../forms/choices.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { usePortalMessages } from '../../language.tsx'
import layout from '../../ui/layout.module.css'
import { SelectField } from '../../ui/select-field.tsx'
import { useSsoTexts } from '../account/sso-texts.ts'
import { linesOf } from './lines.ts'

/** A saved identity provider. */
type Provider = OutputOf<typeof listProviders>['providers'][number]

/**
 * Issuers of known providers, with what differs in braces, and the claim that names a person there. The dialog of a new
 * provider offers them.
 */
const PRESETS = {
  other: { issuer: '', subjectClaim: 'sub' },
  entra: { issuer: 'https://login.microsoftonline.com/{tenant-id}/v2.0', subjectClaim: 'oid' },
  google: { issuer: 'https://accounts.google.com', subjectClaim: 'sub' },
  keycloak: { issuer: 'https://{server}/realms/{realm}', subjectClaim: 'sub' },
  okta: { issuer: 'https://{company}.okta.com', subjectClaim: 'sub' },
  works: { issuer: 'https://auth.worksmobile.com', subjectClaim: 'sub' },
} as const satisfies Record<string, { issuer: string; subjectClaim: SubjectClaim }>
/** Name of a preset. */
type Preset = keyof typeof PRESETS
/** Names of the presets, in the order of the select. */
const PRESET_NAMES = Object.keys(PRESETS) as Preset[]

/** A role that a group of the provider may have. */
type Role = OutputOf<typeof listProviders>['roles'][number]

/**
 * Returns the group and the role of a line ‘group = role’, which names the role by its name or code. The last '='
 * counts.
 * @returns undefined for another text, an empty group, or an unknown role
 */
function groupRoleIn(line: string, roles: readonly Role[]) {
  const at = line.lastIndexOf('=')
  const [group, name] = [line.slice(0, at).trim(), line.slice(at + 1).trim()]
  const role = roles.find(({ roleCode, roleName }) => [roleCode, roleName].includes(name))
  return at > 0 && group !== '' && role !== undefined ? { group, roleCode: role.roleCode } : undefined
}

/**
 * Creates the schema of the form, in which domains and groups are lines, and the secret is empty to keep the saved one.
 * @param wrongLine returns the message for a line that is no group with a role
 */
const typedOf = (roles: readonly Role[], wrongLine: (line: string) => string) =>
  z.extend(providerForm, {
    clientSecret: anyText(CLIENT_SECRET_LENGTH),
    endsSession: providerForm.shape.factorCounts,
    emailDomains: z.pipe(
      z.string(),
      z.pipe(
        z.transform((text: string) => text.split(/[\s,]+/).filter((word) => word !== '')),
        providerForm.shape.emailDomains,
      ),
    ),
    groupsClaim: anyText(60),
    groupRoles: z.string().check(
      z.superRefine((text, context) => {
        const wrong = linesOf(text).find((line) => groupRoleIn(line, roles) === undefined)
        if (wrong !== undefined) context.addIssue({ code: 'custom', message: wrongLine(wrong) })
      }),
    ),
  })

/**
 * Shows the dialog that adds (`createProvider`) or edits (`updateProvider`) an identity provider. A preset fills in the
 * issuer of a known one. An empty secret keeps the saved one. The success message asks for a test login if a change has
 * made one necessary. SSO_SECRET_REQUIRED, SSO_LINKED and SSO_DOMAINS_NEEDED are shown at their fields.
 */
export function ProviderDialog(props: {
  /** Undefined for a new provider. */
  provider: Provider | undefined
  /** The roles that a group may have. */
  roles: readonly Role[]
  onChanged: () => Promise<unknown>
  onClose: () => void
}) {
  const { provider, roles } = props
  const { fields } = usePortalMessages()
  const t = useSsoTexts()
  const typed = useMemo(() => typedOf(roles, t.groupRoleWrong), [roles, t])
  const [preset, setPreset] = useState<Preset>('other')
  const nameOf = (code: string) => roles.find(({ roleCode }) => roleCode === code)?.roleName ?? code
  const dialog = useDialogForm({
    schema: typed,
    initial: {
      providerName: provider?.providerName ?? '',
      issuer: provider?.issuer ?? '',
      clientId: provider?.clientId ?? '',
      clientSecret: '',
      subjectClaim: provider?.subjectClaim ?? 'sub',
      emailDomains: provider?.emailDomains.join('\n') ?? '',
      firstLogin: provider?.firstLogin ?? 'refuse',
      factorCounts: provider?.factorCounts ?? false,
      endsSession: provider?.endsSession ?? false,
      groupsClaim: provider?.groupsClaim ?? '',
      groupRoles: (provider?.groupRoles ?? [])
        .map((one) => `${one.group} = ${nameOf(one.roleCode)}`)
        .join('\n'),
    },
    async submit({ clientSecret, groupRoles, groupsClaim, ...values }) {
      const input = {
        ...values,
        groupsClaim: groupsClaim.trim(),
        groupRoles: linesOf(groupRoles).flatMap((line) => groupRoleIn(line, roles) ?? []),
        ...(clientSecret !== '' && { clientSecret }),
      }
      if (provider === undefined) await call(createProvider, input)
      else {
        const { providerId, providerVersion } = provider
        await call(updateProvider, { ...input, providerId, providerVersion })
      }
    },
    done: (_, { issuer, clientId, clientSecret, subjectClaim }) =>
      provider?.tried === true &&
      clientSecret === '' &&
      issuer === provider.issuer &&
      clientId === provider.clientId &&
      subjectClaim === provider.subjectClaim
        ? t.saved
        : t.savedTry,
    fieldOf: {
      SSO_SECRET_REQUIRED: 'clientSecret',
      SSO_LINKED: 'issuer',
      SSO_DOMAINS_NEEDED: 'emailDomains',
    },
    onChanged: props.onChanged,
    onClose: props.onClose,
  })
  const { form } = dialog
  const presets = PRESET_NAMES.map((value) => ({ value, label: t.presets[value] }))
  const presetTexts = useChoiceTexts(fixedChoices(presets))
  const firstLogins = FIRST_LOGINS.map((value) => ({ value, label: t.firstLogins[value] }))
  const claims = SUBJECT_CLAIMS.map((value) => ({ value, label: t.claims[value] }))

  /**
   * Fills in issuer and claim of a preset, over typed ones, and its name if the field is empty. An unknown preset
   * counts as 'other', which empties the issuer.
   */
  function choose(name: string): void {
    const chosen = PRESET_NAMES.find((one) => one === name) ?? 'other'
    const { issuer, subjectClaim } = PRESETS[chosen]
    setPreset(chosen)
    form.setValue('issuer', issuer, { shouldDirty: true })
    form.setValue('subjectClaim', subjectClaim, { shouldDirty: true })
    if (form.getValues('providerName') === '' && chosen !== 'other')
      form.setValue('providerName', t.presets[chosen], { shouldDirty: true })
  }

  return (
    <FormDialog
      {...dialog}
      title={provider === undefined ? t.add : t.editOf(provider.providerName)}
      about={provider?.providerId}
      isWide
      submitLabel={t.save}
      className={layout.stack}
    >
      {provider === undefined && (
        <SelectField {...presetTexts} label={t.preset} options={presets} value={preset} onChange={choose} />
      )}
      <BoundText
        name="providerName"
        label={fields.providerName}
        description={t.nameHint}
        maxLength={40}
        autoComplete="off"
        isRequired
      />
      <BoundText
        name="issuer"
        label={fields.issuer}
        description={t.issuerHint}
        autoComplete="off"
        isRequired
      />
      <BoundText name="clientId" label={fields.clientId} autoComplete="off" isRequired />
      <BoundText
        name="clientSecret"
        label={fields.clientSecret}
        type="password"
        autoComplete="new-password"
        {...(provider === undefined ? { isRequired: true } : { description: t.secretKept })}
      />
      <BoundSelect
        name="subjectClaim"
        label={fields.subjectClaim}
        choices={fixedChoices(claims)}
        isRequired
      />
      <BoundArea name="emailDomains" label={fields.emailDomains} description={t.domainsHint} rows={2} />
      <BoundSelect
        name="firstLogin"
        label={fields.firstLogin}
        choices={fixedChoices(firstLogins)}
        description={t.firstLoginHint}
        isRequired
      />
      <div>
        <BoundCheckbox name="factorCounts" label={fields.factorCounts} />
        <p className={layout.hint}>{t.factorHint}</p>
      </div>
      <BoundText
        name="groupsClaim"
        label={fields.groupsClaim}
        description={t.groupsClaimHint}
        autoComplete="off"
      />
      <BoundArea
        name="groupRoles"
        label={fields.groupRoles}
        description={t.groupRolesHint(roles.map(({ roleName }) => roleName).join(', '))}
        rows={3}
      />
      <div>
        <BoundCheckbox name="endsSession" label={fields.endsSession} />
        <p className={layout.hint}>{t.endsSessionHint}</p>
      </div>
    </FormDialog>
  )
}
