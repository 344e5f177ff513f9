import { sql } from 'kysely'
import { catalogues } from '../../../contract/messages/index.ts'
import { USER_EXPORT_COLUMNS, type exportUsers as endpoint } from '../../../contract/users.ts'
import type { Handler } from '../../http/handler.ts'
import { exportList, ROWS_AT_ONCE } from '../../services/list-export.ts'
import { matchingUsers, userRows } from './list.ts'

/** Exports the users that a search finds (rules/users#user-export). */
export const exportUsers: Handler<typeof endpoint> = (call, input) =>
  exportList(call, input, {
    list: 'users',
    columns: USER_EXPORT_COLUMNS,
    headers: catalogues[call.language].users.search.columns,
    async read(tx) {
      const { total } = await matchingUsers(tx, call.actor, input)
        .select(sql<number>`count(*)::int`.as('total'))
        .executeTakeFirstOrThrow()
      return { total, rows: userRows(tx, call.actor, input, call.language).stream(ROWS_AT_ONCE) }
    },
    cells: (row) => row,
  })
