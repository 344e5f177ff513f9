import type { SettingsTexts } from '../ko/settings-form.ts'

/** `ko/settings-form.ts` in English. */
export const settingsForm: SettingsTexts = {
  loading: 'Loading the settings.',
  failed: 'The settings could not be loaded.',
  fixed: (variable) =>
    `Set by the environment variable ${variable} of the server. It cannot be changed here.`,

  company: 'Company and logo',
  companyHint: 'Shown at the bottom of every page and in the subjects of mails.',
  logoTextHint: 'Shown at the top left of every page and in the tab of the browser.',
  englishHint: 'If empty, English screens show the Korean text.',
  logoAlt: 'Current logo image',
  logoNone: 'Without an image a default mark is shown.',
  logoHint: 'PNG, JPEG or WebP of up to 100 KB. An image that is nearly square looks best.',
  logoChoose: 'Choose an image',
  logoChange: 'Change the image',
  logoRemove: 'Remove the image',

  portal: 'Address of the portal',
  portalHint:
    'Every mail has a link to this address. Without it, mails have no link. Passkeys need an https address and must be set up again if the domain name changes.',
  portalReach: 'Only users who may manage administrators can change it.',
  portalPlaceholder: 'https://portal.company.kr',
  portalHere: (address) => `Use the address of this page (${address})`,

  positionsHint:
    'One per line, in their order: users then choose from these only. Leave it empty for any text. Positions that were entered stay.',
  offices: 'Offices',
  officesLead:
    'Shown at the bottom of every page in this order. The first one is the head office. If the English fields are empty, English screens show the Korean text.',
  officeAdd: 'Add an office',
  officeName: 'Office name',
  officeOf: (position, name) => (name === '' ? `Office ${position}` : name),
  officeUp: (name) => `Move ${name} up`,
  officeDown: (name) => `Move ${name} down`,
  officeRemove: (name) => `Remove ${name}`,

  notices: 'Notices',
  noticesLead:
    'If off, they are hidden on all notices and no new ones are accepted. If on, they reappear on notices whose author allows them.',

  mailServer: 'Mail server',
  mailLead: 'The server that sends codes and notifications. Changes apply from the next mail.',
  mailHostHint: 'Without one, mails are not sent but saved as files on the server.',
  mailSecurity: { starttls: 'STARTTLS (usually 587)', tls: 'TLS (usually 465)' },
  mailUserHint: 'Leave it empty for a server without a login. With one, mails are sent encrypted only.',
  mailPasswordKept: 'Saved, and never shown. Enter one only to change it.',
  mailPasswordNew: 'Saved encrypted, and never shown again.',
  mailFromHint: 'For example: Maru <no-reply@company.kr>',
  mailSaved: 'The mail server has been saved. Send a test mail to check it.',
  mailRemoved: 'Saved. Without a mail server, mail is only written to files on the server.',
  mailReach: 'Only users who may manage administrators can change the mail server.',
  mailSave: 'Save mail server',
  mailTestTitle: 'Test mail',
  mailTest: 'Send a test mail',
  mailTestTo: 'Recipient',
  mailTesting: 'Sending the test mail.',
  mailSent: (email) => `The mail server accepted the test mail to ${email}. Please check your inbox.`,
  mailWritten: (path) =>
    `No mail server is set, so the mail was not sent but saved as a file on the server. To send mails, save a mail server.\n${path}`,
  mailFailed: (email) => `The test mail to ${email} could not be sent.`,
  mailDetail: (detail) => `Original message: ${detail}`,

  save: 'Save',
  saving: 'Saving the settings.',
  saved: 'The settings have been saved.',
  on: 'On',
  off: 'Off',
  empty: 'None',
}
