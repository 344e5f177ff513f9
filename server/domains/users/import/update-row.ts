import type { OutputOf, ParsedInputOf } from '../../../../contract/endpoint.ts'
import { isMobile } from '../../../../contract/fields.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import type { Messages } from '../../../../contract/messages/ko.ts'
import type { UpdateTexts } from '../../../../contract/messages/ko/user-update.ts'
import type { CustomField } from '../../../../contract/custom-fields.ts'
import { IMPORT_COLUMNS, type ImportColumn, importedUser } from '../../../../contract/users/import.ts'
import { type checkUpdates as endpoint } from '../../../../contract/users/import-update.ts'
import { validationText } from '../../../../contract/validation.ts'
import { phoneMessage } from '../../common/index.ts'
import { nameFault, nameKey, rowErrors } from '../../imports/index.ts'
import { maskedEmail, maskedPhone } from '../../exports/index.ts'
import type { ChosenPerson } from '../bulk/bulk-people.ts'
import { type CustomValues, valuesOf } from '../record/details.ts'
import { readCustomCells } from './import-details.ts'
import { type lookUpChoices, partnerKey, teamKey } from './import-choices.ts'

/** Row of the file, as texts. */
type Row = ParsedInputOf<typeof endpoint>['rows'][number]
/** Changed cell of the preview: field, current and new value as text. */
type Cell = OutputOf<typeof endpoint>['users'][number]['cells'][number]

/** Errors of a row, by cell. */
export type RowErrors = ReturnType<typeof rowErrors<ImportColumn>>

/** Columns of an account that a file can change. */
export type Columns = Pick<
  ChosenPerson,
  | 'name'
  | 'position'
  | 'phoneNumber'
  | 'affiliationCode'
  | 'roleCode'
  | 'partnerId'
  | 'validFrom'
  | 'validTo'
  | 'employeeNumber'
>

/** Planned changes of a user by a row, and the errors of its cells. */
export interface PlannedRow {
  columns: Partial<Columns>
  /** Changed values of the fields that the company defines. */
  values: CustomValues
  /** New main team; undefined without a change, its fields are '' if a move ends the current one. */
  team?: { teamId: string; teamName: string } | undefined
  /** Planned changes as text, for the preview. */
  cells: Cell[]
  errors: RowErrors
}

/** Everything that planning a row needs in addition to the row and its user: the lookups, settings and texts. */
type Known = Awaited<ReturnType<typeof lookUpChoices>> & {
  numbers: ReadonlyMap<string, string>
  mayBeLandline: boolean
  isListed: (position: string) => boolean
  fields: readonly CustomField[]
  messages: Messages
  words: UpdateTexts
  language: Language
}

/** Row while it is planned: each step adds its changes and errors. */
interface RowPlan extends PlannedRow {
  row: Row
  person: ChosenPerson
  known: Known
}

/**
 * Plans the changes of a user by a row, by the rules of the form (rules/users#update). Writes nothing. An empty cell
 * leaves the value unchanged. So does a cell that equals the current value, which need not follow the current rules.
 */
export function planRow(row: Row, person: ChosenPerson, known: Known): PlannedRow {
  const plan: RowPlan = {
    row,
    person,
    known,
    columns: {},
    values: {},
    cells: [],
    errors: rowErrors(IMPORT_COLUMNS, known.messages),
  }
  planText(plan, 'name')
  const place = planCode(plan, 'affiliationCode')
  planText(plan, 'position')
  if (!isMasked(plan, 'phoneNumber', maskedPhone(person.phoneNumber))) {
    planText(plan, 'phoneNumber')
  }
  checkEmail(plan)
  planCode(plan, 'roleCode')
  if (place !== undefined) {
    planPartner(plan, place)
    planTeam(plan, place)
  }
  planText(plan, 'validFrom')
  planText(plan, 'validTo')
  checkOrder(plan)
  planDetails(plan)
  const { columns, values, team, cells, errors } = plan
  return { columns, values, team, cells, errors }
}

/**
 * Returns the new value in a cell. Adds an error for an invalid cell.
 * @returns undefined if the cell is empty, equal to the current value or malformed. A landline or position that the
 * settings do not allow is returned, with an error
 */
function readCell({ row, known, errors }: RowPlan, field: ImportColumn, present: string): string | undefined {
  const text = row[field].trim()
  if (text === '' || text === present) return undefined
  const { data, error } = importedUser.shape[field].safeParse(text)
  if (data === undefined) {
    const message = phoneMessage(error?.issues[0]?.message ?? '', known.mayBeLandline)
    errors.wrong(field, validationText(known.messages, message))
  } else if (field === 'phoneNumber' && data !== present && !isMobile(data) && !known.mayBeLandline) {
    errors.wrong(field, known.messages.validation.phoneNumberFormat)
  } else if (field === 'position' && !known.isListed(data)) {
    errors.wrong(field, known.messages.validation.codeFormat)
  }
  return data === present ? undefined : data
}

/**
 * Columns whose cell contains the new value, which is only normalized (`importedUser`), not looked up as a name or
 * code.
 */
type TextColumn = 'name' | 'position' | 'phoneNumber' | 'validFrom' | 'validTo' | 'employeeNumber'

/** Plans the new value of a text column, if the cell has one. Adds an error for an invalid cell. */
function planText(plan: RowPlan, field: TextColumn): void {
  const present = plan.person[field] ?? ''
  const wanted = readCell(plan, field, present)
  if (wanted === undefined) return
  plan.columns[field] = wanted
  plan.cells.push({ field, present, wanted })
}

/**
 * Returns a value in lower case without hyphens, to compare it: a phone number has hyphens in a file, but none when the
 * page sends it.
 */
const bare = (text: string) => text.replaceAll('-', '').toLowerCase()

/**
 * Returns whether a cell is masked, as in an export. A masked cell leaves the value unchanged. Adds an error if it does
 * not match the value.
 * @param present the current value, masked
 */
function isMasked({ row, known, errors }: RowPlan, field: 'phoneNumber' | 'email', present: string): boolean {
  const text = row[field].trim()
  if (!text.includes('*')) return false
  if (bare(text) !== bare(present)) errors.wrong(field, known.words.maskedOther)
  return true
}

/** Adds an error if a row has another email: only its owner changes it, by email verification (rules/users#e-mail). */
function checkEmail(plan: RowPlan): void {
  const { person, known, errors } = plan
  if (isMasked(plan, 'email', maskedEmail(person.email))) return
  if (readCell(plan, 'email', person.email) !== undefined) {
    errors.wrong('email', known.words.emailDiffers)
  }
}

/**
 * Returns whether a cell is empty or equals the current value, by code or by name. A name that several records have
 * means the current one.
 */
const isPresent = (text: string, code: string, { nameOf }: Known) =>
  ['', code, nameOf(code, 'ko'), nameOf(code, 'en')].includes(text)

/** Lists of `lookUpChoices` that contain the codes of a field. */
const CHOICES = { affiliationCode: 'affiliations', roleCode: 'roles' } as const

/**
 * Plans an affiliation or a role. Adds an error for an unknown, ambiguous or closed one, and for a user whom the actor
 * may not move.
 * @returns the code after the change; undefined if the cell is invalid
 */
function planCode(plan: RowPlan, field: keyof typeof CHOICES): string | undefined {
  const { row, person, known, columns, cells, errors } = plan
  const text = row[field].trim()
  const present = person[field]
  const wanted = isPresent(text, present, known) ? present : known[CHOICES[field]].get(nameKey(text))
  if (wanted === present) return present
  const isClosed = field === 'affiliationCode' && known.closed.has(wanted ?? '')
  if (typeof wanted !== 'string' || isClosed) {
    const fault = isClosed ? known.messages.errors.AFFILIATION_CLOSED : nameFault(wanted, known.messages)
    errors.wrong(field, fault ?? '')
    return undefined
  }
  if (field === 'affiliationCode' && !person.isMovable) {
    errors.wrong(field, known.words.outOfReach)
    return undefined
  }
  columns[field] = wanted
  const name = field === 'affiliationCode' ? person.affiliationName : person.roleName
  cells.push({ field, present: name, wanted: known.nameOf(wanted, known.language) })
  return wanted
}

/**
 * Plans the partner. In a new affiliation, an empty cell means the default partner
 * (rules/affiliations#default-partner). Otherwise it keeps the current one. Adds an error for an unknown or deactivated
 * partner.
 */
function planPartner({ row, person, known, columns, cells, errors }: RowPlan, place: string): void {
  const text = row.partnerCode.trim().toUpperCase()
  const isMoved = place !== person.affiliationCode
  if (!isMoved && (text === '' || text === person.partnerCode)) return
  const partner = text === '' ? known.defaultPartners.get(place) : known.partners.get(partnerKey(place, text))
  if (partner === undefined) {
    const { noDefaultPartner, partnerUnknown } = known.messages.imports.users
    if (text === '') errors.wrong('partnerCode', noDefaultPartner)
    else errors.wrong('partnerCode', text === person.partnerCode ? known.words.partnerLeft : partnerUnknown)
  } else if (partner.isStopped) {
    errors.wrong('partnerCode', known.messages.imports.users.partnerStopped)
  } else {
    columns.partnerId = partner.id
    cells.push({ field: 'partnerCode', present: person.partnerCode, wanted: partner.code })
  }
}

/**
 * Plans the main team. A move to another affiliation ends it; otherwise an empty cell keeps the current one
 * (rules/teams#membership). Adds an error for an unknown team.
 */
function planTeam(plan: RowPlan, place: string): void {
  const { row, person, known, cells, errors } = plan
  const text = row.teamName.trim()
  const team = known.teams.get(teamKey(place, text))
  const isMoved = place !== person.affiliationCode
  if (text === '' ? !isMoved || person.teamId === '' : team?.teamId === person.teamId) return
  if (text !== '' && team === undefined) {
    errors.wrong('teamName', known.messages.imports.users.teamUnknown)
    return
  }
  plan.team = team ?? { teamId: '', teamName: '' }
  cells.push({ field: 'teamName', present: person.teamName, wanted: plan.team.teamName })
}

/**
 * Plans the employee number and the values of the fields that the company defines. Adds an error for a number that
 * another user has.
 */
function planDetails(plan: RowPlan): void {
  const { row, person, known, cells, errors } = plan
  planText(plan, 'employeeNumber')
  const holder = known.numbers.get(plan.columns.employeeNumber ?? '')
  if (holder !== undefined && holder !== person.id)
    errors.wrong('employeeNumber', known.messages.errors.EMPLOYEE_NUMBER_TAKEN)
  const present = valuesOf(person)
  const wrong = (column: ImportColumn, message: string) => errors.wrong(column, message)
  const values = readCustomCells(row, known.fields, known.messages, wrong, present)
  for (const { slot } of known.fields) {
    const wanted = values[slot]
    if (wanted === undefined || wanted === present[slot]) continue
    plan.values[slot] = wanted
    cells.push({ field: slot, present: present[slot] ?? '', wanted })
  }
}

/** Adds an error if the validity would end before it begins. One of the dates may be the current value. */
function checkOrder({ person, columns, known, errors }: RowPlan): void {
  const { validFrom: start = person.validFrom, validTo: end = person.validTo } = columns
  if (start === null || end === null || start <= end) return
  const field = (['validTo', 'validFrom'] as const).find((column) => column in columns)
  if (field !== undefined) errors.wrong(field, validationText(known.messages, 'datesOutOfOrder'))
}
