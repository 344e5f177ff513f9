import { AUDIT_ACTIONS } from '../../../contract/audit-actions.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { FUNCTIONS } from '../../../contract/permissions.ts'
import type { Setting } from '../../../contract/settings/declared.ts'
import { SECURITY_SETTINGS } from '../../../contract/settings/security.ts'
import { formatPhone, maskedEmail, maskedPhone } from '../exports/index.ts'
import { type Change, CHANGE_RENDERERS, joinNames } from './render-changes.ts'
import { listedUsers } from './listed-users.ts'
import type { RawAuditRow } from './rows.ts'
import { auditTexts, problemTexts, type RenderContext } from './render-context.ts'

/** Number of characters after which a rendered value is cut off. */
const MAX_CHARACTERS = 300

/**
 * Renders a row of the audit log in a language (rules/audit#words): the names of its action, target and changes.
 * `recordId` is the current name of the record that the row links to; '' if it has none. Only items with a label
 * are shown, so that no secret is.
 */
export function renderAuditRow(
  { detail, kind, called, partners, ...row }: RawAuditRow,
  context: RenderContext,
) {
  const { actions } = auditTexts[context.language]
  const action = AUDIT_ACTIONS.find((one) => one === row.action)
  return {
    ...row,
    action: action === undefined ? row.action : actions[action],
    target: renderTarget(row, detail, context),
    recordKind: called === null ? ('' as const) : kind,
    recordId: called ?? '',
    changes: isObject(detail) ? renderChanges(row.action, detail, { ...context, partners }) : [],
  }
}

/**
 * Returns the text for the target of a row. Roles and affiliations get their current names, deleted ones the name
 * or code in the row; other targets stay as stored. '' for an action with only one possible target, such as the
 * settings.
 */
function renderTarget(
  { action, target, records }: Pick<RawAuditRow, 'action' | 'target' | 'records'>,
  detail: unknown,
  context: RenderContext,
) {
  const { names, language } = context
  if (action.startsWith('affiliation.')) {
    if (action === 'affiliation.order') return ''
    const codes = (records ?? []).flatMap((record) => /^affiliation\/(.+)$/.exec(record)?.[1] ?? [])
    return joinNames(
      codes.map((code) => names.codes?.[code] ?? code),
      language,
    )
  }
  if (action.startsWith('role.')) return names.roles?.[target] ?? deletedRoleName(detail, language) ?? target
  return action.startsWith('setting.') && target === 'portal' ? '' : target
}

/**
 * Returns the name of a role in a language from the states in the details of its row, for a role that no longer
 * exists; undefined if they have none.
 */
function deletedRoleName(detail: unknown, language: Language): string | undefined {
  const { before, after } = isObject(detail) ? detail : {}
  const role = isObject(after) ? after : before
  const name = isObject(role) ? role[language === 'ko' ? 'roleName' : 'roleNameEn'] : undefined
  return typeof name === 'string' ? name : undefined
}

/** Context of a value, with the codes of the partners in the row by partners.id. */
type ValueContext = RenderContext & { partners: Record<string, string> | null }

/**
 * Renders the details of a row: of two states only what differs, other items as new values, or as previous values if
 * the action deletes. Leaves out items without a text, and empty ones.
 */
function renderChanges(action: string, detail: Record<string, unknown>, context: ValueContext): Change[] {
  // `before` and `after` are whole states of a role: show only the fields that differ.
  const { before: was, after: is, ...others } = detail
  const states = [was, is].map((state) => (isObject(state) ? state : {}))
  const keys = new Set(states.flatMap((state) => Object.keys(state)))
  const differing = [...keys]
    .filter((key) => JSON.stringify(states[0]?.[key]) !== JSON.stringify(states[1]?.[key]))
    .map((key): [string, unknown] => [key, { before: states[0]?.[key], after: states[1]?.[key] }])
  // Two lists mean another order.
  if (Array.isArray(is)) differing.push(['order', { before: was, after: is }])
  const newPartner = isObject(is) && isObject(is['partner']) ? Object.entries(is['partner']) : []
  const isGone = /\.(delete|remove)$/.test(action)
  return [...differing, ...newPartner, ...Object.entries(others)].flatMap(([key, value]) => {
    // The target shows it already.
    if (key === 'affiliationCode' && action.startsWith('affiliation.')) return []
    const name = nameOf(key, action)
    const item = labelOf(name, context.language)
    if (item === undefined) return []
    const isEdit = isObject(value) && 'before' in value
    const [before, after] = isEdit ? [value['before'], value['after']] : isGone ? [value, ''] : ['', value]
    const parts = isEdit ? CHANGE_RENDERERS[name]?.(before, after, context) : undefined
    if (parts !== undefined) return parts
    const change = {
      item,
      before: renderValue(name, before, context),
      after: renderValue(name, after, context),
    }
    return change.before === '' && change.after === '' ? [] : [change]
  })
}

/** Names of columns that the fields of the calls do not have. */
const IRREGULAR: Record<string, string> = {
  loginId: 'userId',
  branchRole: 'roleCode',
  partnerId: 'partnerCode',
  partner: 'partnerCode',
  code: 'partnerCode',
  type: 'partnerType',
  limitDay: 'maxKeysPerDay',
  limitWeek: 'maxKeysPerWeek',
  limitMonth: 'maxKeysPerMonth',
  limitTotal: 'maxKeysTotal',
  publishedAt: 'publishAt',
}

/**
 * Returns the name of the field in the API that a key of the details corresponds to, such as `userId` for
 * `loginId`. The action decides about ambiguous keys, such as `name`.
 */
function nameOf(key: string, action: string): string {
  if (key === 'memo' && action.startsWith('partner.')) return 'partnerMemo'
  if (key === 'name' && action.startsWith('partner.')) return 'partnerName'
  if (key === 'name' && action.startsWith('affiliation.')) return 'nameKo'
  if (key === 'name' && action.startsWith('service.')) return 'serviceName'
  if (key === 'name' && action.startsWith('file.')) return 'fileName'
  return IRREGULAR[key] ?? key
}

/**
 * Returns the label of an item in a language, such as 'Phone'. Undefined for an item that must not be shown: one
 * of HIDDEN, a password, hash or token, or one without a label.
 */
function labelOf(name: string, language: Language): string | undefined {
  const items: Record<string, string> = auditTexts[language].items
  const fields: Record<string, string> = catalogues[language].fields
  if (HIDDEN.has(name) || /password|hash|token/i.test(name)) return undefined
  return items[name] ?? fields[name]
}

/** Names of items that are not shown. */
const HIDDEN = new Set([
  'id',
  'logoImage',
  'longitude',
  'latitude',
  'provinceCode',
  'requests',
  'version',
  'fileId',
])

/**
 * Renders a value of an item as text: codes by name, times in Asia/Seoul, lists joined, objects as labels with
 * values. Masks phone numbers and emails if the context is masked. Cuts other texts off after MAX_CHARACTERS.
 * Returns '' for no value.
 * @param name name of the item, which decides how the value is rendered
 */
function renderValue(name: string, value: unknown, context: ValueContext): string {
  const { language, names, partners, isMasked } = context
  const t = auditTexts[language]
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (Array.isArray(value)) {
    const users = listedUsers(value).map(({ loginId, branchRole }) =>
      branchRole === undefined ? loginId : `${loginId} (${names.roles?.[branchRole] ?? branchRole})`,
    )
    // Entries may be lists such as [affiliation, name, partner]: show the affiliation.
    const firsts = value.map((entry: unknown): unknown => (Array.isArray(entry) ? entry[0] : entry))
    return joinNames(
      (users.length > 0 ? users : firsts).map((entry) => renderValue(ENTRY[name] ?? name, entry, context)),
      language,
    )
  }
  if (isObject(value)) {
    return Object.entries(value)
      .flatMap(([key, inner]) => {
        const item = labelOf(key, language)
        const text = renderValue(key, inner, context)
        return item === undefined || text === '' ? [] : [`${item} ${text}`]
      })
      .join(', ')
  }
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const text = String(value)
  if (name === 'phoneNumber') return isMasked ? maskedPhone(text) : formatPhone(text)
  if (name === 'email') return isMasked ? maskedEmail(text) : text
  if (name === 'affiliationCode' || name === 'parentCode' || name === 'approvalCode')
    return names.codes?.[text] ?? text
  if (name === 'roleCode') return names.roles?.[text] ?? text
  if (name === 'partnerCode') return partners?.[text] ?? text
  if (name === 'span') return nameOrCode(catalogues[language].roles.spans, text)
  if (name === 'partnerType') return nameOrCode(catalogues[language].partners.type, text)
  if (name === 'suspendedFor') return nameOrCode(catalogues[language].users.account.suspendedFor, text)
  if (name === 'by') return nameOrCode(t.ways, text)
  if (name === 'factor') return nameOrCode(t.factors, text)
  if (name === 'state') return nameOrCode(t.states, text)
  if (name === 'problem') return nameOrCode(problemTexts[language], text)
  if (name === 'refusal') return nameOrCode(catalogues[language].errors, text)
  if (name === 'attempted') return nameOrCode(t.actions, text)
  if (name === 'function') {
    const functionName = FUNCTIONS.find((each) => each === text)
    return functionName === undefined ? text : catalogues[language].roles.functions[functionName][0]
  }
  if (name === 'column') return labelOf(nameOf(text, ''), language) ?? text
  const setting = SETTINGS[name]
  if (setting && 'choices' in setting) return setting.choices[text]?.[language] ?? text
  return /^\d{4}-\d{2}-\d{2}T/.test(text) ? inSeoul(text) : text.slice(0, MAX_CHARACTERS)
}

/** The security settings by name, whose choices have names. */
const SETTINGS: Readonly<Record<string, Setting>> = SECURITY_SETTINGS

/** Returns the name of a code, or the code itself if it has none. */
const nameOrCode = (names: Record<string, string>, code: string): string =>
  Object.hasOwn(names, code) ? (names[code] ?? code) : code

/**
 * Names of the items as which the entries of a list are rendered, by the name of the list. The entries of other
 * lists are rendered as items of the list's own name.
 */
const ENTRY: Record<string, string> = {
  functions: 'function',
  changed: 'column',
  affiliations: 'affiliationCode',
  factorRoles: 'roleCode',
  trustRoles: 'roleCode',
  ssoRoles: 'roleCode',
}

/** Converts an ISO time of a row's details to 'YYYY-MM-DD HH:mm:ss' in Asia/Seoul. */
function inSeoul(text: string): string {
  return new Date(text).toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' })
}

/** Returns whether a value is an object, and neither null nor a list. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
