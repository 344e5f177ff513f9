import type { Language } from '../../../contract/messages/language.ts'
import type { NotificationItem } from '../../../contract/messages/mails-notifications.ts'
import { choicesTexts, linkTexts, type MailBlock, type MailText } from '../../../contract/messages/mails.ts'

/** CSS of small gray text. */
const QUIET = 'font-size:13px;color:#566056;word-break:break-all'

/**
 * Renders the plain text and the HTML of a mail. Its values are escaped, never used as HTML.
 * @param link URL of the page that the mail is about, shown as a button; null for none
 * @param choices URL of the preferences for such mails, shown in the last line; null for none
 */
export function renderMail(
  { paragraphs, code, items = [], more, blocks }: MailText,
  language: Language,
  link: string | null,
  choices: string | null = null,
): { text: string; html: string } {
  const [first = '', ...others] = paragraphs
  const shipped: Part[] = [
    first,
    ...(code === undefined ? [] : [{ code }]),
    ...items,
    ...others,
    ...(more === undefined ? [] : [more]),
    { isLink: true },
  ]
  const parts = (blocks ?? shipped).filter((part) => link !== null || !isLink(part))
  const label = linkTexts[language]
  const plain = (part: Part) => {
    if (typeof part === 'string') return part
    if ('code' in part) return part.code
    return isLink(part) ? `${label}: ${link}` : plainItem(part)
  }
  const text = [
    ...parts.map(plain),
    ...(choices === null ? [] : [`${choicesTexts[language]}: ${choices}`]),
  ].join('\n\n')
  const paragraph = (lines: string) =>
    `<p style="margin:0 0 16px">${escapeHtml(lines).replaceAll('\n', '<br>')}</p>`
  const box = (secret: string) =>
    `<p style="margin:0 0 16px;padding:16px;background:#f1f6f1;border-radius:8px;font-size:24px;font-weight:700;letter-spacing:2px;text-align:center">${escapeHtml(secret)}</p>`
  const button = (url: string) =>
    `<p style="margin:24px 0 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:10px 20px;background:#2f8230;border-radius:8px;color:#ffffff;font-weight:700;text-decoration:none">${label}</a></p><p style="margin:8px 0 0;${QUIET}">${escapeHtml(url)}</p>`
  const marked = (part: Part) => {
    if (typeof part === 'string') return paragraph(part)
    if ('code' in part) return box(part.code)
    return isLink(part) ? button(link ?? '') : htmlItem(part)
  }
  const choice =
    choices === null
      ? ''
      : `<p style="margin:24px 0 0;${QUIET}"><a href="${escapeHtml(choices)}" style="color:#566056">${choicesTexts[language]}</a></p>`
  const html = `<!doctype html><html lang="${language}"><body style="margin:0;padding:32px;font-family:Pretendard,'Apple SD Gothic Neo','Malgun Gothic','Noto Sans KR',sans-serif;font-size:15px;line-height:1.6;color:#1c241c;word-break:keep-all"><div style="max-width:520px;margin:0 auto;border-top:4px solid #399d36;padding-top:24px">${parts.map(marked).join('')}${choice}</div></body></html>`
  return { text: `${text}\n`, html }
}

/** Part of a mail: a paragraph, a code, the link, or a notification. */
type Part = MailBlock | NotificationItem

/** Returns whether a part of a mail is the link to its page. */
const isLink = (part: Part): part is { isLink: true } => typeof part === 'object' && 'isLink' in part

/** Returns a notification as plain text. */
const plainItem = ({ words, detail, time, link }: NotificationItem) =>
  [`${time}  ${words}`, detail, link ?? ''].filter((line) => line !== '').join('\n')

/** Returns a notification as HTML. */
function htmlItem({ words, detail, time, link }: NotificationItem): string {
  const said = escapeHtml(words)
  const linked =
    link === null ? said : `<a href="${escapeHtml(link)}" style="color:#1f6b20;font-weight:700">${said}</a>`
  const under = [detail, time].filter((line) => line !== '').map(escapeHtml)
  return `<p style="margin:0 0 16px">${linked}<br><span style="${QUIET}">${under.join('<br>')}</span></p>`
}

/** Returns a text in which `&`, `<`, `>` and `"` are HTML entities. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
