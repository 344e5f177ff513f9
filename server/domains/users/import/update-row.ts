import type { OutputOf, ParsedInputOf } from '../../../../contract/endpoint.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import type { Messages } from '../../../../contract/messages/ko.ts'
import type { UpdateTexts } from '../../../../contract/messages/ko/user-update.ts'
import { IMPORT_COLUMNS, type ImportColumn, importedUser } from '../../../../contract/users/import.ts'
import { type checkUpdates as endpoint } from '../../../../contract/users/import-update.ts'
import { validationText } from '../../../../contract/validation.ts'
import { nameFault, nameKey, rowErrors } from '../../../services/import-rows.ts'
import { maskedEmail, maskedPhone } from '../../../services/personal.ts'
import type { ChosenPerson } from '../bulk/bulk-people.ts'
import { type lookUpChoices, partnerKey } from './import-choices.ts'

type Row = ParsedInputOf<typeof endpoint>['rows'][number]
type Cell = OutputOf<typeof endpoint>['users'][number]['cells'][number]

/** Errors of a row, by cell. */
export type RowErrors = ReturnType<typeof rowErrors<ImportColumn>>

/** Columns of an account that a file can change. */
export type Columns = Pick<
  ChosenPerson,
  | 'name'
  | 'position'
  | 'phone_number'
  | 'affiliation_code'
  | 'role_code'
  | 'partner_id'
  | 'valid_from'
  | 'valid_to'
>

/** Planned changes of a user by a row, and the errors of its cells. */
export interface PlannedRow {
  columns: Partial<Columns>
  /** The same as text. */
  cells: Cell[]
  errors: RowErrors
}

type Known = Awaited<ReturnType<typeof lookUpChoices>> & {
  messages: Messages
  words: UpdateTexts
  language: Language
}

/** A row while it is checked. */
interface Looked extends PlannedRow {
  row: Row
  person: ChosenPerson
  known: Known
}

/**
 * Plans the changes of a user by a row, by the rules of the form (rules/users#update). An empty cell leaves the value unchanged. So does a
 * cell that equals the present value, which need not follow the current rules.
 */
export function planRow(row: Row, person: ChosenPerson, known: Known): PlannedRow {
  const looked: Looked = {
    row,
    person,
    known,
    columns: {},
    cells: [],
    errors: rowErrors(IMPORT_COLUMNS, known.messages),
  }
  planText(looked, 'name', 'name')
  const place = planAffiliation(looked)
  planText(looked, 'position', 'position')
  if (!isMasked(looked, 'phoneNumber', maskedPhone(person.phone_number))) {
    planText(looked, 'phoneNumber', 'phone_number')
  }
  checkEmail(looked)
  planRole(looked)
  if (place !== undefined) planPartner(looked, place)
  planText(looked, 'validFrom', 'valid_from')
  planText(looked, 'validTo', 'valid_to')
  checkOrder(looked)
  const { columns, cells, errors } = looked
  return { columns, cells, errors }
}

/**
 * Returns the new value in a cell if it is valid.
 * @returns undefined if the cell is empty, invalid or equal to the present value
 */
function said({ row, known, errors }: Looked, field: ImportColumn, present: string): string | undefined {
  const text = row[field].trim()
  if (text === '' || text === present) return undefined
  const { data, error } = importedUser.shape[field].safeParse(text)
  if (data === undefined) {
    errors.wrong(field, validationText(known.messages, error?.issues[0]?.message ?? ''))
  }
  return data === present ? undefined : data
}

function planText(
  looked: Looked,
  field: 'name' | 'position' | 'phoneNumber' | 'validFrom' | 'validTo',
  column: 'name' | 'position' | 'phone_number' | 'valid_from' | 'valid_to',
): void {
  const present = looked.person[column] ?? ''
  const wanted = said(looked, field, present)
  if (wanted === undefined) return
  looked.columns[column] = wanted
  looked.cells.push({ field, present, wanted })
}

/**
 * Returns a value in lower case without hyphens, to compare it: a phone number has hyphens in a file, but none when the page sends it.
 */
const bare = (text: string) => text.replaceAll('-', '').toLowerCase()

/**
 * Returns whether a cell is masked, as in an export. A masked cell leaves the value unchanged, but must match it.
 * @param present the present value, masked
 */
function isMasked({ row, known, errors }: Looked, field: 'phoneNumber' | 'email', present: string): boolean {
  const text = row[field].trim()
  if (!text.includes('*')) return false
  if (bare(text) !== bare(present)) errors.wrong(field, known.words.maskedOther)
  return true
}

/** Checks that a row leaves the email unchanged: only its owner changes it, by email verification (rules/users#e-mail). */
function checkEmail(looked: Looked): void {
  const { person, known, errors } = looked
  if (isMasked(looked, 'email', maskedEmail(person.email))) return
  if (said(looked, 'email', person.email) !== undefined) {
    errors.wrong('email', known.words.emailDiffers)
  }
}

/**
 * Returns whether a cell is empty or equals the present value, by code or by name. A name that several records have means the present one.
 */
const isPresent = (text: string, code: string, { nameOf }: Known) =>
  ['', code, nameOf(code, 'ko'), nameOf(code, 'en')].includes(text)

/** @returns the affiliation of the user after the change; undefined if the cell is invalid */
function planAffiliation({ row, person, known, ...looked }: Looked): string | undefined {
  const text = row.affiliationCode.trim()
  const present = person.affiliation_code
  const wanted = isPresent(text, present, known) ? present : known.affiliations.get(nameKey(text))
  if (wanted === present) return present
  if (typeof wanted !== 'string') {
    looked.errors.wrong('affiliationCode', nameFault(wanted, known.messages) ?? '')
    return undefined
  }
  if (known.closed.has(wanted)) {
    looked.errors.wrong('affiliationCode', known.messages.errors.AFFILIATION_CLOSED)
    return undefined
  }
  looked.columns.affiliation_code = wanted
  looked.cells.push({
    field: 'affiliationCode',
    present: person.affiliationName,
    wanted: known.nameOf(wanted, known.language),
  })
  return wanted
}

function planRole({ row, person, known, columns, cells, errors }: Looked): void {
  const text = row.roleCode.trim()
  const wanted = isPresent(text, person.role_code, known) ? person.role_code : known.roles.get(nameKey(text))
  if (wanted === person.role_code) return
  if (typeof wanted !== 'string') {
    errors.wrong('roleCode', nameFault(wanted, known.messages) ?? '')
    return
  }
  columns.role_code = wanted
  cells.push({ field: 'roleCode', present: person.roleName, wanted: known.nameOf(wanted, known.language) })
}

/** Plans the partner. In a new affiliation it is the default partner, unless the row names another (rules/affiliations#default-partner). */
function planPartner({ row, person, known, columns, cells, errors }: Looked, place: string): void {
  const text = row.partnerCode.trim().toUpperCase()
  const isMoved = place !== person.affiliation_code
  if (!isMoved && (text === '' || text === person.partnerCode)) return
  const partner = text === '' ? known.defaultPartners.get(place) : known.partners.get(partnerKey(place, text))
  if (partner === undefined) {
    const { noDefaultPartner, partnerUnknown } = known.messages.imports.users
    if (text === '') errors.wrong('partnerCode', noDefaultPartner)
    else errors.wrong('partnerCode', text === person.partnerCode ? known.words.partnerLeft : partnerUnknown)
  } else if (partner.isStopped) {
    errors.wrong('partnerCode', known.messages.imports.users.partnerStopped)
  } else {
    columns.partner_id = partner.id
    cells.push({ field: 'partnerCode', present: person.partnerCode, wanted: partner.code })
  }
}

/** Checks the order of the dates after the change. One of them may be the present value. */
function checkOrder({ person, columns, known, errors }: Looked): void {
  const { valid_from: start = person.valid_from, valid_to: end = person.valid_to } = columns
  if (start === null || end === null || start <= end) return
  const field = 'valid_to' in columns ? 'validTo' : 'valid_from' in columns ? 'validFrom' : undefined
  if (field !== undefined) errors.wrong(field, validationText(known.messages, 'datesOutOfOrder'))
}
