import { describe, expect, it } from 'vitest'
import {
  blocksOf,
  MAIL_KINDS,
  type MailKind,
  mailTemplateForm,
  MAX_MAIL_SUBJECT,
  MAX_MAIL_TEXT,
  placeholdersOf,
  subjectOf,
} from './mail-templates.ts'

const GOOD = { mailKind: 'resetPasswordCode', language: 'ko', mailSubject: '인증번호', mailText: '{code}' }

/** Returns the first message about a template, with its field; null for a valid one. */
function problem(changes: Record<string, string>): string | null {
  const issue = mailTemplateForm.safeParse({ ...GOOD, ...changes }).error?.issues[0]
  return issue === undefined ? null : `${issue.path.join('.')} ${issue.message}`
}
const text = (mailText: string, mailKind: MailKind = 'resetPasswordCode') => problem({ mailText, mailKind })
const subject = (mailSubject: string, mailKind: MailKind = 'temporaryPassword') =>
  problem({ mailSubject, mailText: '', mailKind })

describe('mailTemplateForm (rules/settings#mail-placeholders)', () => {
  it('accepts empty texts, which stand for the shipped ones', () => {
    for (const mailKind of MAIL_KINDS) expect(problem({ mailKind, mailSubject: '', mailText: '' })).toBeNull()
  })

  it('requires the placeholders without which a mail is useless', () => {
    expect(text('인증번호입니다.')).toBe('mailText mailPlaceholderMissing|{code}')
    expect(text('계정이 있습니다.\n{userId}', 'invitation')).toBe('mailText mailPlaceholderMissing|{link}')
    expect(text('{userId}', 'temporaryPassword')).toBe('mailText mailPlaceholderMissing|{password}')
  })

  it('refuses placeholders that the kind lacks or that are misspelled', () => {
    expect(text('{code}\n{password}')).toBe('mailText mailPlaceholderUnknown|{password}')
    expect(text('{code}\n{ link }')).toBe('mailText mailPlaceholderUnknown|{ link }')
    expect(text('{code}\n{constructor}')).toBe('mailText mailPlaceholderUnknown|{constructor}')
    expect(subject('{toString}')).toBe('mailSubject mailPlaceholderUnknown|{toString}')
  })

  it('keeps codes, links and the text of several lines out of the subject', () => {
    expect(subject('{password}')).toBe('mailSubject mailPlaceholderUnknown|{password}')
    expect(subject('{link}', 'invitation')).toBe('mailSubject mailPlaceholderUnknown|{link}')
    expect(subject('{reason}', 'refused')).toBe('mailSubject mailPlaceholderUnknown|{reason}')
    expect(subject('[{company}] {userId}님')).toBeNull()
  })

  it('refuses text beside a link or code, which could change the address', () => {
    expect(text('인증번호: {code}')).toBe('mailText mailPlaceholderAlone|{code}')
    expect(text('{link}.evil\n{code}')).toBe('mailText mailPlaceholderAlone|{link}')
    expect(text('{code}\n{portal}@evil')).toBe('mailText mailPlaceholderAlone|{portal}')
    expect(text('{code}\n{link}\n\n{portal}')).toBeNull()
  })

  it('refuses line breaks, control and invisible characters', () => {
    expect(subject('안내\r\nBcc: spy@evil')).toBe('mailSubject controlCharacter')
    expect(subject('안내\u2028x')).toBe('mailSubject controlCharacter')
    expect(subject('안\u200b내')).toBe('mailSubject unseenCharacter')
    expect(text('{code}\n\u0000')).toBe('mailText controlCharacter')
    expect(text('{code}\nevil\u200b.com')).toBe('mailText unseenCharacter')
    expect(text('{code}\n\u202eevil')).toBe('mailText unseenCharacter')
  })

  it('limits subject and text', () => {
    expect(subject('가'.repeat(MAX_MAIL_SUBJECT + 1))).toBe('mailSubject tooLong|100')
    expect(text(`{code}\n${'가 '.repeat(MAX_MAIL_TEXT)}`)).toBe('mailText tooLong|2000')
  })
})

describe('addresses in a mail template (rules/settings#mail-addresses)', () => {
  it.each([
    'http://evil',
    'HTTPS://evil',
    'https:evil.kr',
    '//evil',
    'www.evil.co.kr',
    'evil.com',
    'evil.com/login',
    'evil.xn--p1ai',
    'i❤.ws',
    '가짜.한국',
    'evil。com',
    'evil．com',
    'evil｡com',
    'evil․com',
    'ev\u0301il.c\u0301om',
    'ⓔⓥⓘⓛ.ⓒⓞⓜ',
    '203.0.113.7',
    'help@evil',
    'help＠evil',
    'mailto:kim',
    'evil.{userId}',
    '{name}.com',
    '{name}.{userId}',
    'help@{userId}',
  ])('refuses %s in text and subject', (word) => {
    expect(text(`안내: ${word}\n{password}\n{userId}`, 'temporaryPassword')).toMatch(
      /^mailText mailAddress\|/,
    )
    expect(subject(`안내 ${word}`)).toMatch(/^mailSubject mailAddress\|/)
  })

  it.each([
    '안녕하세요. 감사합니다.',
    '버전 3.5',
    '잠시만요...감사합니다',
    '3.5% 할인',
    'e.g. this',
    '09:00~18:00',
    '문의: 02-123-4567',
  ])('accepts %s', (words) => expect(text(`${words}\n{code}`)).toBeNull())
})

describe('blocksOf', () => {
  it('shows codes and links where the text has them, and keeps single line breaks', () => {
    expect(blocksOf('첫 줄\n둘째 줄\n{code}\n셋째\n\n넷째\n{link}\n끝', { code: '123456' })).toEqual([
      '첫 줄\n둘째 줄',
      { code: '123456' },
      '셋째',
      '넷째',
      { isLink: true },
      '끝',
    ])
  })

  it('never expands a placeholder in a value (rules/settings#mail-placeholders)', () => {
    const values = { name: '{link}', userId: '{code}', code: '{name}', reason: '{link}\n{code}' }
    expect(blocksOf('{name} {userId}\n{code}\n{reason}', values)).toEqual([
      '{link} {code}',
      { code: '{name}' },
      '{link}\n{code}',
    ])
    expect(blocksOf('{name}', values)).toEqual(['{link}'])
    expect(subjectOf('{name}', { name: '{name}$& $1' })).toBe('{name}$& $1')
  })

  it('leaves out a paragraph whose value is empty', () => {
    expect(blocksOf('안내\n\n{portal}\n\n끝', { portal: '' })).toEqual(['안내', '끝'])
  })
})

describe('subjectOf', () => {
  it('keeps a value with line breaks on one line', () => {
    expect(subjectOf('공지: {title}', { title: 'a\r\nBcc: spy@evil.kr\u2028b\u0000' })).toBe(
      '공지: a Bcc: spy@evil.kr b',
    )
  })
})

describe('placeholdersOf', () => {
  it('names the needed ones first', () => {
    expect(placeholdersOf('resetPasswordCode', 'mailText')).toEqual(['code', 'link', 'company', 'portal'])
    expect(placeholdersOf('resetPasswordCode', 'mailSubject')).toEqual(['company'])
  })
})
