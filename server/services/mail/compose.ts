import type { Language } from '../../../contract/messages/language.ts'
import { accountMails } from '../../../contract/messages/mails-accounts.ts'
import { validityMails } from '../../../contract/messages/mails-validity.ts'
import { mailTexts, type MailText } from '../../../contract/messages/mails.ts'
import {
  blocksOf,
  inBraces,
  type MailKind,
  type MailTemplate,
  type MailValues,
  type Placeholder,
  placeholdersOf,
  subjectOf,
} from '../../../contract/settings/mail-templates.ts'
import type { Settings } from '../settings.ts'

/** Texts by placeholder. */
type Values = Readonly<Record<Placeholder, string>>

/** Functions that create the texts that Maru ships, from the values of their placeholders. */
const SHIPPED: Record<MailKind, (language: Language, values: Values) => MailText> = {
  signUpCode: (l, v) => mailTexts[l].signUpCode(v.company, v.code),
  alreadySignedUp: (l, v) => mailTexts[l].alreadySignedUp(v.company),
  findIdCode: (l, v) => mailTexts[l].findIdCode(v.company, v.code),
  resetPasswordCode: (l, v) => mailTexts[l].resetPasswordCode(v.company, v.code),
  newEmailCode: (l, v) => accountMails[l].newEmailCode(v.company, v.code),
  temporaryPassword: (l, v) => mailTexts[l].temporaryPassword(v.company, v.userId, v.password),
  invitation: (l, v) => accountMails[l].invitation(v.company, v.userId, null),
  approved: (l, v) => mailTexts[l].approved(v.company, v.userId, v.validity),
  refused: (l, v) => mailTexts[l].refused(v.company, v.userId, v.reason),
  affiliationChanged: (l, v) => mailTexts[l].affiliationChanged(v.company, v.userId, v.affiliation),
  affiliationRefused: (l, v) => mailTexts[l].affiliationRefused(v.company, v.userId, v.affiliation, v.reason),
  noticeReminder: (l, v) => mailTexts[l].noticeReminder(v.company, v.title, v.sender, v.time),
  endsSoon: (l, v) => validityMails[l].endsSoon(v.company, v.userId, v.end, v.daysLeft),
  suspensionSoon: (l, v) => validityMails[l].suspensionSoon(v.company, v.userId, v.day),
  suspended: (l, v) => validityMails[l].suspended(v.company, v.userId, v.days),
}

/** Returns the text that Maru ships as a template, with the names of the placeholders instead of their values. */
export function shippedTemplate(kind: MailKind, language: Language): MailTemplate {
  const names = placeholdersOf(kind, 'mailText').map((name) => [name, inBraces(name)])
  const shipped = SHIPPED[kind](language, Object.fromEntries(names) as Values)
  const [first = '', ...others] = shipped.paragraphs
  const parts = [first, ...(shipped.code === undefined ? [] : [shipped.code]), ...others, '{link}']
  return { mailSubject: shipped.subject, mailText: parts.join('\n\n') }
}

/**
 * Returns the mail that a template makes of these values. An empty subject or text of it is replaced by the one that Maru ships.
 * @param values values of all placeholders of the kind, and of those of every kind
 */
export function fillTemplate(
  { mailSubject, mailText }: MailTemplate,
  kind: MailKind,
  language: Language,
  values: Values,
): MailText {
  const shipped = SHIPPED[kind](language, values)
  return {
    ...shipped,
    ...(mailSubject !== '' && { subject: subjectOf(mailSubject, values) }),
    ...(mailText !== '' && { blocks: blocksOf(mailText, values) }),
  }
}

/**
 * Returns a mail, as `queueMail` takes it: with the text that the company saved for its kind, or else the shipped one, from the
 * cached settings (rules/settings#mail-templates).
 * @param values values of the kind's own placeholders
 * @param link URL of the page that the mail is about; null while the URL of the portal is not set
 */
export function composeMail<K extends MailKind>(
  settings: Pick<Settings, 'now' | 'mailTemplate'>,
  kind: K,
  language: Language,
  values: MailValues<K>,
  link: string | null,
): { language: Language; text: MailText; link: string | null } {
  const { company, portalUrl } = settings.now()
  // The link is the renderer's, which shows it as a button.
  const all = { ...values, company, portal: portalUrl, link: '' } as unknown as Values
  const template = settings.mailTemplate(kind, language) ?? { mailSubject: '', mailText: '' }
  return { language, text: fillTemplate(template, kind, language, all), link }
}
