import type { InputOf, OutputOf } from '../../../contract/endpoint.ts'
import type { getSettings, settingsForm, updateSettings } from '../../../contract/settings.ts'
import type * as z from 'zod/mini'

/** The settings as the server tells them. */
export type SettingsRecord = OutputOf<typeof getSettings>
/** What a person types. */
export type SettingsValues = z.input<typeof settingsForm>
/** The same as the rules let it pass. */
export type CheckedSettings = Omit<InputOf<typeof updateSettings>, 'version'>

/** The record as the form edits it. */
export function valuesOf({ companyName, logoText, portalUrl, offices }: SettingsRecord) {
  return { companyName, logoText, portalUrl, offices, logoImage: undefined } satisfies SettingsValues
}

/** The variable that fixes a setting; undefined where a person may change it. */
export function variableOf(record: SettingsRecord, name: string): string | undefined {
  return record.fixed.find(({ field }) => field === name)?.variable
}
