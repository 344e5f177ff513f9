import { settingsForm as en } from '../../../contract/messages/en/settings-form.ts'
import { settingsForm as ko } from '../../../contract/messages/ko/settings-form.ts'
import { createTexts } from '../../language.tsx'

/** Returns the texts of the settings, which load with their pages. */
export const useSettingsTexts = createTexts({ ko, en })
