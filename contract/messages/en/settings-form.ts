import type { SettingsTexts } from '../ko/settings-form.ts'

/** `ko/settings-form.ts` in English. */
export const settingsForm: SettingsTexts = {
  loading: 'Loading the settings.',
  failed: 'The settings could not be loaded.',
  fixed: (variable) => `Fixed by the variable ${variable} of the server; it cannot be changed here.`,

  company: 'Company and logo',
  companyHint: 'Shown at the bottom of every page and in the subjects of mails.',
  logoTextHint: 'Shown at the top left of every page and in the tab of the browser.',
  englishHint: 'Left empty, English screens show the Korean one, too.',
  logoAlt: 'The logo image as it is',
  logoNone: 'Without an image a default mark is shown.',
  logoHint: 'PNG, JPEG or WebP of up to 100 KB. An image that is nearly square looks best.',
  logoChoose: 'Choose an image',
  logoChange: 'Change the image',
  logoRemove: 'Remove the image',

  portal: 'Address of the portal',
  portalHint:
    'Every mail has a link to this address. Without it mails have no link. Passkeys need an address with https, and have to be set up again after another domain name.',
  portalReach: 'Only users who may manage administrators can change it.',
  portalPlaceholder: 'https://portal.company.kr',
  portalHere: (address) => `Use the address of this page (${address})`,

  offices: 'Offices',
  officesLead:
    'Shown at the bottom of every page in this order. The first one is the head office. Without English words English screens show the Korean ones.',
  officeAdd: 'Add an office',
  officeName: 'Office name',
  officeOf: (position, name) => (name === '' ? `Office ${position}` : name),
  officeUp: (name) => `Move ${name} up`,
  officeDown: (name) => `Move ${name} down`,
  officeRemove: (name) => `Remove ${name}`,

  notices: 'Notices',
  noticesLead:
    'Switched off, they are hidden on all notices and none are taken; switched on, they are back where the author lets readers.',

  mail: 'Mail',
  mailLead: 'Sender and mail server are set by the variables MAIL_FROM and SMTP_URL of the server.',
  mailFrom: 'Sender',
  mailServer: 'Mail server',
  mailServerNone: 'None: mails are not sent but kept as files of the server.',
  mailTest: 'Send a test mail',
  mailTestTo: 'Recipient',
  mailTesting: 'Sending the test mail.',
  mailSent: (email) => `The mail server took the test mail to ${email}. Please look into your inbox.`,
  mailWritten: (path) =>
    `SMTP_URL is not set, so the mail was not sent but written to a file of the server. To send mails, set SMTP_URL on the server and restart it.\n${path}`,
  mailFailed: (email) => `The test mail to ${email} could not be sent.`,
  mailDetail: (detail) => `The mail server said: ${detail}`,

  save: 'Save',
  saving: 'Saving the settings.',
  saved: 'The settings have been saved.',
  on: 'On',
  off: 'Off',
  empty: 'None',
}
