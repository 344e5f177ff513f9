import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import type { Messages } from '../../../contract/messages/ko.ts'
import { can } from '../../../contract/permissions.ts'
import { today } from '../../db/sql.ts'
import type { Tx } from '../../db/database.ts'
import { isGivenFilter } from '../../http/access-recorder.ts'
import type { Call, FileAnswer } from '../../http/handler.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { verifyOwnPassword } from '../account/index.ts'
import { checkTemporaryRoom, temporaryFolder } from './streamed-file.ts'
import { type CellKind, MAX_XLSX_ROWS, TABLE_TYPES, tableFile, type TableFormat } from './spreadsheet.ts'
import { takeExportSlot, type ExportSlot } from './export-slots.ts'

/** Input of an export: the fields of `contract/list-export.ts`, and the filters and sort order of the list. */
interface ExportRequest<C extends string> {
  /** The columns that the caller wants, in order; none for all (rules/lists#export-columns). */
  columns?: readonly C[]
  format: TableFormat
  reason: string
  /** Only for lists of users. */
  password?: string
}

/** A list as a file contains it. */
interface ExportedList<C extends string, R> {
  /** Key of the list's texts in the catalogue, which name the file, its sheet and its record. */
  list: keyof Messages['exports']['lists']
  columns: readonly C[]
  headers: Record<C, string>
  /** Columns that are numbers or dates, in file formats that have these (rules/lists#formulas); all others are text. */
  kinds: Partial<Record<C, CellKind>>
  /** Returns the number of rows, and the rows in order, fetched while they are read. Both are of the same snapshot. */
  read: (tx: Tx) => Promise<{ total: number; rows: AsyncIterable<R> }>
  cells: (row: R) => Record<C, string>
  /** The data subjects of a row, as users.id. Absent if the list contains no personal data. */
  peopleIn?: (row: R) => readonly (string | null)[]
}

/** The parts of a call that an export uses. */
type ExportCall = Pick<
  Call,
  'db' | 'longReads' | 'services' | 'language' | 'address' | 'audit' | 'leaving' | 'requireConfirmation'
> & { actor: SignedIn }

/**
 * Exports all rows that a search finds as a file (design/lists-and-counts#export). Before the first byte is sent,
 * the audit log records who exported, why, the filters, the number of rows, and whether they were unmasked. Phone
 * numbers and email addresses are masked unless the input has a password: then the caller must have
 * `autho_export_personal`, and it must be the caller's password. The access log records the data subjects of the
 * rows before they are sent.
 * @throws {Refusal} FORBIDDEN without that permission; EXPORT_BUSY as `takeExportSlot`; EXPORT_TOO_LARGE above
 * MAX_XLSX_ROWS for Excel; DISK_FULL; and as `verifyOwnPassword`
 */
export async function exportList<C extends string, R>(
  call: ExportCall,
  asked: ExportRequest<C>,
  list: ExportedList<C, R>,
): Promise<FileAnswer> {
  const isUnmasked = (asked.password ?? '') !== ''
  if (isUnmasked && !can(call.actor, 'autho_export_personal')) refuse('FORBIDDEN')
  if (isUnmasked) await verifyOwnPassword(call, asked.password ?? '')
  const folder = temporaryFolder(call.services.config.dataDir)
  await checkTemporaryRoom(folder)
  const slot = await takeExportSlot(call.longReads, call.actor.id)
  try {
    return await exportFrom({ ...slot, folder }, call, asked, list, isUnmasked)
  } catch (error) {
    await slot.end()
    slot.release()
    throw error
  }
}

/**
 * Counts the rows, writes the audit row and returns the answer, whose `open` creates the file. The slot is
 * released when the file is sent.
 * @throws {Refusal} EXPORT_TOO_LARGE
 */
async function exportFrom<C extends string, R>(
  { tx, end, release, folder }: ExportSlot & { folder: string },
  call: ExportCall,
  { password, format, reason, columns: wanted = [], ...filters }: ExportRequest<C>,
  { list, columns: every, headers, kinds, read, cells, peopleIn }: ExportedList<C, R>,
  isUnmasked: boolean,
): Promise<FileAnswer> {
  const columns =
    wanted.length === 0 ? every : [...new Set(wanted)].filter((column) => every.includes(column))
  const { total, rows } = await read(tx)
  if (format === 'xlsx' && total > MAX_XLSX_ROWS) refuse('EXPORT_TOO_LARGE')
  const { day } = await tx.selectNoFrom(sql<string>`${today}::text`.as('day')).executeTakeFirstOrThrow()
  await call.db.transaction().execute((record) =>
    call.audit(record, {
      target: list,
      records: null,
      detail: {
        reason,
        format,
        rows: total,
        // Only lists with something to mask can be unmasked.
        ...(password !== undefined && { unmasked: isUnmasked }),
        filters: filtersSet(filters),
      },
    }),
  )
  const { fileName: name } = catalogues[call.language].exports.lists[list]
  return {
    name: `${name}_${day}.${format}`,
    type: TABLE_TYPES[format],
    open: () =>
      tableFile({
        format,
        name,
        header: columns.map((column) => headers[column]),
        kinds: columns.map((column) => kinds[column]),
        rows: textsOf(peopleIn === undefined ? rows : recordPeople(rows, peopleIn, call), (row) => {
          const texts = cells(row)
          return columns.map((column) => maskPersonal(column, texts[column], isUnmasked))
        }),
        folder,
        onEnd: end,
        onSent: release,
      }),
  }
}

/**
 * Returns the filters and the sort order that the caller set, without defaults, so that the audit row only shows what
 * narrowed the list.
 */
function filtersSet({ order, ...filters }: Record<string, unknown>): Record<string, unknown> {
  const asked = filters['sort'] ? { ...filters, order } : filters
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => isGivenFilter(value)))
}

/** Number of rows whose data subjects are recorded together, before the first of these rows is sent. */
const ROWS_ON_RECORD = 1000

/** Yields rows after their data subjects are written to the access log. If that fails, the file breaks off. */
async function* recordPeople<R>(
  rows: AsyncIterable<R>,
  peopleIn: (row: R) => readonly (string | null)[],
  call: Pick<Call, 'leaving'>,
): AsyncGenerator<R> {
  let some: R[] = []
  const put = () => call.leaving([...new Set(some.flatMap(peopleIn))].filter((id) => id !== null))
  for await (const row of rows) {
    some.push(row)
    if (some.length < ROWS_ON_RECORD) continue
    await put()
    yield* some
    some = []
  }
  if (some.length > 0) await put()
  yield* some
}

/** Yields the texts of each row. */
async function* textsOf<R>(rows: AsyncIterable<R>, shown: (row: R) => string[]): AsyncGenerator<string[]> {
  for await (const row of rows) yield shown(row)
}

/**
 * Returns the text of a cell for the file. A phone number gets hyphens, or is masked; an email is masked; neither
 * is masked in an unmasked export. Any other text stays unchanged.
 */
function maskPersonal(column: string, text: string, isUnmasked: boolean): string {
  if (column === 'phoneNumber') {
    // With hyphens, because a spreadsheet drops the leading zero of plain digits in a CSV.
    return isUnmasked ? formatPhone(text) : maskedPhone(text)
  }
  if (column === 'email' && !isUnmasked) return maskedEmail(text)
  return text
}

/** Matches the digits of a Korean phone number, in three groups. */
const PHONE = /^(02|\d{3})(\d{3,4})(\d{4})$/

/** Returns a phone number with hyphens: 010-1234-5678, 02-123-4567. Returns other texts unchanged. */
export const formatPhone = (phone: string): string => phone.replace(PHONE, '$1-$2-$3')

/** Matches a phone number that is masked already. */
const MASKED_PHONE = /^\d{2,3}-\*{4}-\d{4}$/

/** Returns a phone number without its middle, as 010-****-5678. A masked number stays, any other text becomes ****. */
export function maskedPhone(phone: string): string {
  if (MASKED_PHONE.test(phone)) return phone
  return PHONE.test(phone) ? phone.replace(PHONE, '$1-****-$3') : '****'
}

/** Returns an email address masked, except two characters of its local part: ki***@example.com. */
export function maskedEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@')
  return `${local.slice(0, 2)}***@${domain}`
}
