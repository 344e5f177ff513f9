import { settingsForm as en } from '../../../contract/messages/en/settings-form.ts'
import { settingsForm as ko } from '../../../contract/messages/ko/settings-form.ts'
import { createTexts } from '../../language.tsx'

export const useSettingsTexts = createTexts({ ko, en })
