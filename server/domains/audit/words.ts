import { AUDIT_ACTIONS } from '../../../contract/audit-actions.ts'
import { audit as en } from '../../../contract/messages/en/audit.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import { audit as ko } from '../../../contract/messages/ko/audit.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { FUNCTIONS } from '../../../contract/permissions.ts'
import { hyphenated, maskedEmail, maskedPhone } from '../../services/personal.ts'
import type { RawAuditRow } from './rows.ts'

/** The texts of the trail in each language. */
export const auditTexts = { ko, en }

/** What codes are called: affiliations and approval statuses, and roles. */
export interface AuditNames {
  codes: Record<string, string> | null
  roles: Record<string, string> | null
}

/** How a row is told. */
interface Telling {
  language: Language
  names: AuditNames
  /** Phone numbers and e-mails without their middle. */
  isMasked: boolean
}

interface Change {
  item: string
  before: string
  after: string
}

/** The most entries of a list that a row tells, and the most characters of a text. */
const LISTED = 20
const LONGEST = 300

/** A row of the trail in words (rules/audit#words): what has no name is not told, and so nothing that is secret. */
export function inWords({ detail, kind, called, partners, ...row }: RawAuditRow, telling: Telling) {
  const { actions } = auditTexts[telling.language]
  const action = AUDIT_ACTIONS.find((one) => one === row.action)
  return {
    ...row,
    action: action === undefined ? row.action : actions[action],
    recordKind: called === null ? ('' as const) : kind,
    recordId: called ?? '',
    changes: isObject(detail) ? changesOf(row.action, detail, { ...telling, partners }) : [],
  }
}

type Context = Telling & { partners: Record<string, string> | null }

function changesOf(action: string, detail: Record<string, unknown>, context: Context): Change[] {
  // What a role was and is: only what differs.
  const { before: was, after: is, ...others } = detail
  const states = [was, is].map((state) => (isObject(state) ? state : {}))
  const keys = new Set(states.flatMap((state) => Object.keys(state)))
  const differing = [...keys]
    .filter((key) => JSON.stringify(states[0]?.[key]) !== JSON.stringify(states[1]?.[key]))
    .map((key): [string, unknown] => [key, { before: states[0]?.[key], after: states[1]?.[key] }])
  // A list that was put in another order.
  if (Array.isArray(is)) differing.push(['order', { before: was, after: is }])
  const isGone = /\.(delete|remove)$/.test(action)
  return [...differing, ...Object.entries(others)].flatMap(([key, value]) => {
    const name = nameOf(key, action)
    const item = itemOf(name, context.language)
    if (item === undefined) return []
    const isEdit = isObject(value) && 'before' in value
    const [before, after] = isEdit ? [value['before'], value['after']] : isGone ? [value, ''] : ['', value]
    const change = { item, before: told(name, before, context), after: told(name, after, context) }
    return change.before === '' && change.after === '' ? [] : [change]
  })
}

/** Columns whose name in the code is irregular; whatever else is its own name in camelCase. */
const IRREGULAR: Record<string, string> = {
  login_id: 'userId',
  partner_id: 'partnerCode',
  partner: 'partnerCode',
  type: 'partnerType',
  limit_day: 'maxKeysPerDay',
  limit_week: 'maxKeysPerWeek',
  limit_month: 'maxKeysPerMonth',
  limit_total: 'maxKeysTotal',
  published_at: 'publishAt',
}

function nameOf(key: string, action: string): string {
  if (key === 'memo' && action.startsWith('partner.')) return 'partnerMemo'
  if (key === 'name' && action.startsWith('partner.')) return 'partnerName'
  if (key === 'name' && action.startsWith('service.')) return 'serviceName'
  if (key === 'name' && action.startsWith('file.')) return 'fileName'
  return IRREGULAR[key] ?? key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** What an item is called; undefined for what nobody needs to be told: numbers of rows, degrees, and whatever has no name. */
function itemOf(name: string, language: Language): string | undefined {
  const items: Record<string, string> = auditTexts[language].items
  const fields: Record<string, string> = catalogues[language].fields
  if (UNTOLD.has(name) || /password|hash|token/i.test(name)) return undefined
  return items[name] ?? fields[name]
}

const UNTOLD = new Set([
  'id',
  'logoImage',
  'longitude',
  'latitude',
  'provinceCode',
  'requests',
  'version',
  'fileId',
])

/** A value in words. */
function told(name: string, value: unknown, context: Context): string {
  const { language, names, partners, isMasked } = context
  const t = auditTexts[language]
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (Array.isArray(value))
    return listed(value, (entry) => told(ENTRY[name] ?? name, entry, context), t.others)
  if (isObject(value)) {
    return Object.entries(value)
      .flatMap(([key, inner]) => {
        const item = itemOf(key, language)
        const text = told(key, inner, context)
        return item === undefined || text === '' ? [] : [`${item} ${text}`]
      })
      .join(', ')
  }
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const text = String(value)
  if (name === 'phoneNumber') return isMasked ? maskedPhone(text) : hyphenated(text)
  if (name === 'email') return isMasked ? maskedEmail(text) : text
  if (name === 'affiliationCode' || name === 'approvalCode') return names.codes?.[text] ?? text
  if (name === 'roleCode') return names.roles?.[text] ?? text
  if (name === 'partnerCode') return partners?.[text] ?? text
  if (name === 'partnerType') return namedIn(catalogues[language].partners.type, text)
  if (name === 'suspendedFor') return namedIn(catalogues[language].users.account.suspendedFor, text)
  if (name === 'state') return namedIn(t.states, text)
  if (name === 'function') {
    const known = FUNCTIONS.find((one) => one === text)
    return known === undefined ? text : catalogues[language].roles.functions[known][0]
  }
  if (name === 'column') return itemOf(nameOf(text, ''), language) ?? text
  return /^\d{4}-\d{2}-\d{2}T/.test(text) ? inSeoul(text) : text.slice(0, LONGEST)
}

/** What a code is called, or the code itself. */
const namedIn = (names: Record<string, string>, code: string): string =>
  Object.hasOwn(names, code) ? (names[code] ?? code) : code

/** What the entries of a list are, where the list has another name. */
const ENTRY: Record<string, string> = {
  functions: 'function',
  changed: 'column',
  order: 'affiliationCode',
}

function listed(
  values: unknown[],
  one: (value: unknown) => string,
  others: (count: number) => string,
): string {
  // Of a pair as [login ID, role] the first says who it is.
  const texts = values.slice(0, LISTED).map((value) => one(Array.isArray(value) ? value[0] : value))
  const rest = values.length - texts.length
  return [...texts, ...(rest > 0 ? [others(rest)] : [])].filter(Boolean).join(', ')
}

/** A moment as the database writes it, as the wire says it. */
function inSeoul(text: string): string {
  return new Date(text).toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
