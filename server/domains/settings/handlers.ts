import type { Handlers } from '../../http/handler.ts'
import { readSettings, updateSettings } from './change.ts'
import { getErasure, listErasures } from './erasures.ts'
import { getRetention, updateRetention } from './retention.ts'
import { getSecurity, updateSecurity } from './security.ts'
import { getSetup, updateSetup } from './setup.ts'
import { getSystem } from './system.ts'
import { sendTestMail } from './test-mail.ts'

/** Company, logo, offices and the portal's own address; the guide through setting them up. */
export const settings: Handlers<'settings'> = {
  getSettings: readSettings,
  updateSettings,
  sendTestMail,
  getSetup,
  updateSetup,
  getSystem,
  getRetention,
  updateRetention,
  getSecurity,
  updateSecurity,
  listErasures,
  getErasure,
}
