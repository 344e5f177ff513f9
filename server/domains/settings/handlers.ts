import type { Handlers } from '../../http/handler.ts'
import { readSettings, updateSettings } from './change.ts'
import { getErasure, listErasures } from './erasures.ts'
import { updateMailServer } from './mail-server.ts'
import { listMailTemplates, sendMailTemplate, updateMailTemplate } from './mail-templates.ts'
import { getPrivacyNotice, publishPrivacyNotice } from './privacy.ts'
import { getRetention, updateRetention } from './retention.ts'
import { getSecurity, updateSecurity } from './security.ts'
import { getSetup, updateSetup } from './setup.ts'
import { getSystem } from './system.ts'
import { sendTestMail } from './test-mail.ts'

/**
 * Handlers of the calls about the settings of the portal: company and logo, mail server and templates, security,
 * retention and erasures, privacy notice, setup guide and the state of the system.
 */
export const settings: Handlers<'settings'> = {
  getSettings: readSettings,
  updateSettings,
  updateMailServer,
  sendTestMail,
  listMailTemplates,
  updateMailTemplate,
  sendMailTemplate,
  getSetup,
  updateSetup,
  getSystem,
  getRetention,
  updateRetention,
  getSecurity,
  updateSecurity,
  listErasures,
  getErasure,
  getPrivacyNotice,
  publishPrivacyNotice,
}
