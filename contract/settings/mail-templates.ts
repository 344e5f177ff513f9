import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { flag, lineOrEmpty, multiline, recordVersion, timestamp } from '../fields.ts'
import { LANGUAGES } from '../messages/language.ts'
import type { MailBlock } from '../messages/mails.ts'
import { sendTestMail } from '../settings.ts'
import { UNSEEN } from '../text-fields.ts'

/** The most characters of a subject. */
export const MAX_MAIL_SUBJECT = 100
/** The most characters of a text. */
export const MAX_MAIL_TEXT = 2_000

/** Placeholders of one kind of mail. */
interface Placeholders {
  /** The text must contain each of them. */
  needs: readonly string[]
  may: readonly string[]
}

/**
 * The kinds of mail whose texts the company may edit (design/mail-and-notifications#mail-templates). Every text may
 * contain {company}, {portal} and {link}, too.
 */
export const MAIL_TEMPLATES = {
  signUpCode: { needs: ['code'], may: [] },
  alreadySignedUp: { needs: [], may: [] },
  findIdCode: { needs: ['code'], may: [] },
  resetPasswordCode: { needs: ['code'], may: [] },
  newEmailCode: { needs: ['code'], may: [] },
  temporaryPassword: { needs: ['userId', 'password'], may: ['name'] },
  invitation: { needs: ['link'], may: ['userId', 'name'] },
  approved: { needs: ['userId'], may: ['name', 'validity'] },
  refused: { needs: ['userId', 'reason'], may: ['name'] },
  affiliationChanged: { needs: ['affiliation'], may: ['userId', 'name'] },
  affiliationRefused: { needs: ['affiliation', 'reason'], may: ['userId', 'name'] },
  noticeReminder: { needs: ['title'], may: ['sender', 'time'] },
  endsSoon: { needs: ['end'], may: ['userId', 'name', 'daysLeft'] },
  suspensionSoon: { needs: ['day'], may: ['userId', 'name'] },
  suspended: { needs: ['userId'], may: ['name', 'days'] },
} as const satisfies Record<string, Placeholders>

/** A kind of mail whose text the company may edit. */
export type MailKind = keyof typeof MAIL_TEMPLATES
/** Every kind of mail whose text the company may edit. */
export const MAIL_KINDS = Object.keys(MAIL_TEMPLATES) as MailKind[]

/** The placeholders of a kind of mail. */
type Own<K extends MailKind> = (typeof MAIL_TEMPLATES)[K]['needs' | 'may'][number]
/** A placeholder of any kind of mail. */
export type Placeholder = Own<MailKind> | 'company' | 'portal' | 'link'
/** The values of a kind of mail, without those that every kind has. */
export type MailValues<K extends MailKind> = Record<Exclude<Own<K>, 'link'>, string>

/** Placeholders that must be the only text of their line: other text there could change an address or imitate a code. */
const ALONE: readonly string[] = ['link', 'portal', 'code', 'password'] satisfies Placeholder[]
/** Placeholders that a subject must not contain: secrets, links and texts of several lines. */
const NOT_IN_SUBJECT: readonly string[] = [...ALONE, 'reason']

/** Returns a placeholder as a text contains it: `{name}`. */
export const inBraces = (name: string) => '{'.concat(name, '}')

/** A name in braces. */
const PLACEHOLDER = /\{([^{}]*)\}/g
/** Returns the names of the placeholders in a text. */
const namesIn = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)

/** Returns the placeholders that a subject or a text of a kind may contain, needed ones first. */
export function placeholdersOf(kind: MailKind, part: keyof MailTemplate): Placeholder[] {
  const { needs, may }: Placeholders = MAIL_TEMPLATES[kind]
  const names = [...new Set([...needs, ...may, 'link', 'company', 'portal'])] as Placeholder[]
  return part === 'mailText' ? names : names.filter((name) => !NOT_IN_SUBJECT.includes(name))
}

/** The editable texts of a mail; '' for the text that Maru ships. */
export interface MailTemplate {
  mailSubject: string
  mailText: string
}

/**
 * Returns why a template cannot be used, as messages of its fields; empty if it can. A saved template is checked with
 * each use, because a newer version may need another placeholder.
 */
export function problemsOf(
  kind: MailKind,
  template: MailTemplate,
): { field: keyof MailTemplate; message: string }[] {
  return (['mailSubject', 'mailText'] as const).flatMap((field) => {
    const message = problemIn(template[field], kind, field)
    return message === undefined ? [] : [{ field, message }]
  })
}

/** Returns why a subject or text cannot be used, as the message of its field; undefined if it can. */
function problemIn(text: string, kind: MailKind, part: keyof MailTemplate): string | undefined {
  if (text === '') return undefined
  const names = namesIn(text)
  const allowed: string[] = placeholdersOf(kind, part)
  const unknown = names.find((name) => !allowed.includes(name))
  if (unknown !== undefined) return `mailPlaceholderUnknown|${inBraces(unknown)}`
  if (part === 'mailText') {
    const missing = MAIL_TEMPLATES[kind].needs.find((name) => !names.includes(name))
    if (missing !== undefined) return `mailPlaceholderMissing|${inBraces(missing)}`
    const lines = text.split('\n')
    const crowded = ALONE.find((name) =>
      lines.some((line) => line.includes(inBraces(name)) && line.trim() !== inBraces(name)),
    )
    if (crowded !== undefined) return `mailPlaceholderAlone|${inBraces(crowded)}`
  }
  const address = text.split(/\s/).find(isLikeAddress)
  return address === undefined ? undefined : `mailAddress|${address}`
}

/** Start of a URL: a scheme, or two slashes. */
const SCHEME = /\/\/|\\\\|(?:https?|ftp|mailto|tel)\s*:/i
/** A domain or an IPv4 address. */
const DOMAIN = /[^\s.\u3002][.\u3002]\p{L}{2}|\d(?:\.\d{1,3}){3}/u
/** An email address: a sign before and after an @. */
const MAIL_ADDRESS = /\S@\S/

/**
 * Returns whether a word looks like a web or mail address, which a mail program may turn into a link. Its value could
 * complete an address, so each placeholder counts as letters.
 */
function isLikeAddress(word: string): boolean {
  const plain = word.replaceAll(PLACEHOLDER, 'xx').normalize('NFKC').replaceAll(/\p{M}/gu, '')
  return SCHEME.test(plain) || DOMAIN.test(plain) || MAIL_ADDRESS.test(plain)
}

/** Replaces each placeholder by its value in one pass, so that a value that contains a placeholder stays as it is. */
const expand = (text: string, values: Readonly<Record<string, string>>) =>
  text.replaceAll(PLACEHOLDER, (found, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : found,
  )

/** Returns a subject with the values of its placeholders, on one line whatever the values contain. */
export const subjectOf = (subject: string, values: Readonly<Record<string, string>>): string =>
  expand(subject, values)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/**
 * Returns the blocks of a mail from a text with placeholders and their values: paragraphs, codes, and the place of the
 * link. An empty line, a code and a link end a paragraph.
 */
export function blocksOf(text: string, values: Readonly<Record<string, string>>): MailBlock[] {
  const blocks: MailBlock[] = []
  let isOpen = false
  for (const line of text.split('\n').map((typed) => typed.trim())) {
    const alone = ALONE.find((name) => line === inBraces(name))
    const last = blocks.at(-1)
    if (alone === 'link') blocks.push({ isLink: true })
    else if (alone === 'code' || alone === 'password') blocks.push({ code: values[alone] ?? '' })
    else if (isOpen && line !== '' && typeof last === 'string')
      blocks[blocks.length - 1] = `${last}\n${expand(line, values)}`
    else blocks.push(expand(line, values))
    isOpen = alone === undefined && line !== ''
  }
  return blocks
    .map((block) => (typeof block === 'string' ? block.trim() : block))
    .filter((block) => block !== '')
}

/** Access policy of the calls about mail templates. */
const manage = { function: ['autho_setting_manage'] } as const

/** The form of a template (rules/settings#mail-templates). */
export const mailTemplateForm = z
  .strictObject({
    mailKind: z.enum(MAIL_KINDS, 'codeFormat'),
    language: z.enum(LANGUAGES, 'codeFormat'),
    mailSubject: lineOrEmpty(MAX_MAIL_SUBJECT),
    mailText: multiline(MAX_MAIL_TEXT).check(
      z.trim(),
      z.refine((text) => !UNSEEN.test(text), 'unseenCharacter'),
    ),
  })
  .check(
    z.superRefine(({ mailKind, ...template }, context) => {
      for (const { field, message } of problemsOf(mailKind, template))
        context.addIssue({ code: 'custom', message, path: [field] })
    }),
  )

/** Returns the templates of all kinds of mail and languages, with the texts that Maru ships. */
export const listMailTemplates = endpoint({
  path: '/set/v1/get/mailTemplates',
  summary: 'Read the mail templates',
  access: manage,
  output: z.object({
    templates: z.array(
      z.object({
        mailKind: z.enum(MAIL_KINDS),
        language: z.enum(LANGUAGES),
        /** '' for the text that Maru ships. */
        mailSubject: z.string(),
        mailText: z.string(),
        shippedSubject: z.string(),
        shippedText: z.string(),
        /** True if the saved texts no longer meet the rules, so that the shipped ones are sent. */
        isInvalid: flag,
        version: recordVersion,
        /** Time and user of the last change; '' before the first. */
        changedAt: timestamp,
        userId: z.string(),
        name: z.string(),
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Saves the template of a kind of mail in a language. RECORD_CHANGED if another user has saved since the caller read
 * it; ADMIN_REACH_REQUIRED for a caller who does not reach administrators, who get these mails, too.
 */
export const updateMailTemplate = endpoint({
  path: '/set/v1/upd/mailTemplate',
  summary: 'Change a mail template',
  access: manage,
  confirmed: 'always',
  input: z.extend(mailTemplateForm, { version: recordVersion }),
  errors: ['RECORD_CHANGED', 'ADMIN_REACH_REQUIRED'],
  audit: 'setting.mail-template',
  auditsChangeOnly: true,
  personal: 'none',
})

/**
 * Sends the given template, saved or not, with sample values to the caller's own address, and returns the result.
 * TOO_MANY_TRIES after too many.
 */
export const sendMailTemplate = endpoint({
  path: '/set/v1/ins/mailSample',
  summary: 'Send a mail template to oneself',
  access: manage,
  input: mailTemplateForm,
  output: sendTestMail.output,
  errors: ['TOO_MANY_TRIES'],
  audit: 'setting.test-mail',
  personal: 'none',
  perPerson: 'mail',
})
