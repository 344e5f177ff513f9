import { settingsForm as en } from '../../../contract/messages/en/settings-form.ts'
import { type SettingsTexts, settingsForm as ko } from '../../../contract/messages/ko/settings-form.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of the settings in the language in use: apart from the catalogue, they come with their page. */
export function useSettingsTexts(): SettingsTexts {
  return { ko, en }[useLanguage().language]
}
