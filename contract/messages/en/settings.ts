import type { Messages } from '../ko.ts'

/** `ko/settings.ts` in English. */
export const settings: Messages['settings'] = {
  titles: {
    settingManage: 'Portal settings',
    settingSecurity: 'Security settings',
    settingSso: 'Single sign-on',
    settingMail: 'Mail texts',
    settingPrivacy: 'Privacy notice',
    settingPolicy: 'Policy',
    settingSystem: 'System',
    settingRetention: 'Retention',
    settingErasure: 'Certificate of destruction',
    setup: 'Setup guide',
  },

  guide: {
    back: 'Back to the setup guide',
    inSetup: 'You are setting up the portal.',
    hint: 'The portal is not set up completely yet.',
    hintLink: 'Open the setup guide',
  },
}
