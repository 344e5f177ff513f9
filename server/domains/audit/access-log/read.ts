import type { getAccess as one, listAccess as many } from '../../../../contract/audit.ts'
import { refuse } from '../../../../contract/errors.ts'
import { foundPage } from '../../../db/list.ts'
import type { Handler } from '../../../http/handler.ts'
import { findPeopleByName } from '../find.ts'
import { findAccess } from './find.ts'
import {
  renderAccessRow,
  accessRows,
  peopleOf,
  SUBJECTS_OF_A_LIST,
  SUBJECTS_OF_A_ROW,
  withIds,
} from './rows.ts'

/**
 * Returns a page of the access log (rules/audit#access-search). If it is empty although rows match, the access log
 * names the users whom the search names.
 */
export const listAccess: Handler<typeof many> = async (call, input) => {
  const { rows, totalCount } = await foundPage(call.db, findAccess(input, input), input, (db, ids) => {
    const { isOne, place } = withIds(ids)
    return accessRows(db, SUBJECTS_OF_A_LIST, input.subject).where(isOne).orderBy(place).execute()
  })
  call.touches(rows.flatMap(peopleOf).filter((id) => id !== null))
  if (rows.length === 0 && totalCount > 0)
    call.touches(await findPeopleByName(call.db, input.actor, input.subject))
  return {
    totalCount,
    rows: rows.map((row) => ({ rowNumber: row.rowNumber, ...renderAccessRow(row, call.language) })),
  }
}

/**
 * Returns a single row of the access log, with up to SUBJECTS_OF_A_ROW data subjects (rules/audit#access-detail).
 * @throws {Refusal} ACCESS_NOT_FOUND
 */
export const getAccess: Handler<typeof one> = async (call, { accessId }) => {
  const row = await accessRows(call.db, SUBJECTS_OF_A_ROW)
    .where(withIds([accessId]).isOne)
    .executeTakeFirst()
  if (row === undefined) refuse('ACCESS_NOT_FOUND')
  call.touches(peopleOf(row).filter((id) => id !== null))
  return renderAccessRow(row, call.language)
}
