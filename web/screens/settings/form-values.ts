import type { InputOf, OutputOf } from '../../../contract/endpoint.ts'
import * as z from 'zod/mini'
import { type CustomField, customFields } from '../../../contract/custom-fields.ts'
import { type getSettings, settingsForm, type updateSettings } from '../../../contract/settings.ts'
import { linesOf } from './lines.ts'

/** The settings as the API returns them. */
export type SettingsRecord = OutputOf<typeof getSettings>
/** Unvalidated values of the form on /setting/manage, with the choices of fields and the positions as lines. */
export type SettingsValues = Omit<z.input<typeof settingsForm>, 'customFields' | 'positions'> & {
  customFields: (Omit<CustomField, 'choices'> & { choices: string })[]
  positions: string
}
/** Validated values of the form. */
export type CheckedSettings = Omit<InputOf<typeof updateSettings>, 'version'>

/** Returns the record as the form edits it. The logo image is undefined until the user changes it. */
export function valuesOf(record: SettingsRecord) {
  const { companyName, logoText, companyNameEn, logoTextEn, portalUrl, offices } = record
  return {
    companyName,
    logoText,
    companyNameEn,
    logoTextEn,
    portalUrl,
    offices,
    noticeComments: record.noticeComments,
    noticeAcknowledgements: record.noticeAcknowledgements,
    customFields: record.customFields.map((field) => ({ ...field, choices: field.choices.join('\n') })),
    positions: record.positions.join('\n'),
    logoImage: undefined,
  } satisfies SettingsValues
}

/**
 * Returns the schema of the settings form. It does not check settings that an environment variable fixes, because the
 * user cannot correct them, and converts the choices of custom fields and the positions to lists.
 */
export function rulesFor({ fixed }: SettingsRecord) {
  const ofForm = fixed.filter(({ field }) => field in settingsForm.shape)
  const free = Object.fromEntries(ofForm.map(({ field }) => [field, z.any()]))
  const typed = z.pipe(
    z.transform((fields: SettingsValues['customFields']) =>
      fields.map(({ choices, ...field }) => ({
        ...field,
        choices: field.kind === 'choice' ? linesOf(choices) : [],
      })),
    ),
    customFields,
  )
  const positions = z.pipe(z.transform(linesOf), settingsForm.shape.positions)
  return z.extend(settingsForm, { ...free, customFields: typed, positions }) as unknown as z.ZodMiniType<
    CheckedSettings,
    SettingsValues
  >
}

/**
 * Returns the values to save, without those that an environment variable fixes, which the server would refuse if they
 * differ.
 */
export function sentOf({ fixed }: SettingsRecord, values: CheckedSettings): CheckedSettings {
  const isFixed = (name: string) => fixed.some(({ field }) => field === name)
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isFixed(name)))
}

/** Returns the environment variable that fixes a setting. @returns undefined if the user may change the setting */
export function variableOf(record: SettingsRecord, name: string): string | undefined {
  return record.fixed.find(({ field }) => field === name)?.variable
}
