import { AUDIT_ACTIONS } from '../../../contract/audit-actions.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { FUNCTIONS } from '../../../contract/permissions.ts'
import { hyphenated, maskedEmail, maskedPhone } from '../../services/personal.ts'
import { type Change, listed, PARTS } from './parts.ts'
import type { RawAuditRow } from './rows.ts'
import { auditTexts, problemTexts, type Telling } from './telling.ts'

/** The most characters of a text. */
const LONGEST = 300

/** A row of the trail in words (rules/audit#words): what has no name is not told, and so nothing that is secret. */
export function inWords({ detail, kind, called, partners, ...row }: RawAuditRow, telling: Telling) {
  const { actions } = auditTexts[telling.language]
  const action = AUDIT_ACTIONS.find((one) => one === row.action)
  return {
    ...row,
    action: action === undefined ? row.action : actions[action],
    target: targetOf(row, detail, telling),
    recordKind: called === null ? ('' as const) : kind,
    recordId: called ?? '',
    changes: isObject(detail) ? changesOf(row.action, detail, { ...telling, partners }) : [],
  }
}

/** What a row is about: roles and affiliations by their names, and nothing where there is but one. */
function targetOf(
  { action, target }: Pick<RawAuditRow, 'action' | 'target'>,
  detail: unknown,
  telling: Telling,
) {
  const { names, language } = telling
  if (action.startsWith('affiliation.')) {
    if (action === 'affiliation.order') return ''
    const codes = target.split(', ')
    return listed(
      codes.map((code) => names.codes?.[code] ?? code),
      language,
    )
  }
  if (action.startsWith('role.')) return names.roles?.[target] ?? roleIn(detail, language) ?? target
  return action.startsWith('setting.') && target === 'portal' ? '' : target
}

/** What a role that is no more was called. */
function roleIn(detail: unknown, language: Language): string | undefined {
  const { before, after } = isObject(detail) ? detail : {}
  const role = isObject(after) ? after : before
  const name = isObject(role) ? role[language === 'ko' ? 'roleName' : 'roleNameEn'] : undefined
  return typeof name === 'string' ? name : undefined
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
  const made = isObject(is) && isObject(is['partner']) ? Object.entries(is['partner']) : []
  const isGone = /\.(delete|remove)$/.test(action)
  return [...differing, ...made, ...Object.entries(others)].flatMap(([key, value]) => {
    // Its own code, which the row is about.
    if (key === 'affiliation_code' && action.startsWith('affiliation.')) return []
    const name = nameOf(key, action)
    const item = itemOf(name, context.language)
    if (item === undefined) return []
    const isEdit = isObject(value) && 'before' in value
    const [before, after] = isEdit ? [value['before'], value['after']] : isGone ? [value, ''] : ['', value]
    const parts = isEdit ? PARTS[name]?.(before, after, context) : undefined
    if (parts !== undefined) return parts
    const change = { item, before: told(name, before, context), after: told(name, after, context) }
    return change.before === '' && change.after === '' ? [] : [change]
  })
}

/** Columns whose name in the code is irregular; whatever else is its own name in camelCase. */
const IRREGULAR: Record<string, string> = {
  login_id: 'userId',
  partner_id: 'partnerCode',
  partner: 'partnerCode',
  code: 'partnerCode',
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
  if (key === 'name' && action.startsWith('affiliation.')) return 'nameKo'
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
  if (Array.isArray(value)) {
    // Of a pair as [login ID, role] the first says who it is.
    const firsts = value.map((entry: unknown): unknown => (Array.isArray(entry) ? entry[0] : entry))
    return listed(
      firsts.map((entry) => told(ENTRY[name] ?? name, entry, context)),
      language,
    )
  }
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
  if (name === 'factor') return namedIn(t.factors, text)
  if (name === 'state') return namedIn(t.states, text)
  if (name === 'problem') return namedIn(problemTexts[language], text)
  if (name === 'refusal') return namedIn(catalogues[language].errors, text)
  if (name === 'attempted') return namedIn(t.actions, text)
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
  affiliations: 'affiliationCode',
  factorRoles: 'roleCode',
}

/** A moment as the database writes it, as the wire says it. */
function inSeoul(text: string): string {
  return new Date(text).toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
