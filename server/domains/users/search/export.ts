import type { ParsedInputOf } from '../../../../contract/endpoint.ts'
import { catalogues } from '../../../../contract/messages/index.ts'
import { LAST_LOGIN, USER_EXPORT_COLUMNS, type exportUsers as endpoint } from '../../../../contract/users.ts'
import { everyRowOf } from '../../../db/list.ts'
import type { Handler } from '../../../http/handler.ts'
import { exportList } from '../../exports/index.ts'
import { userRows } from './list.ts'

/** Exports the users that a search finds (rules/users#user-export). */
export const exportUsers: Handler<typeof endpoint> = (call, input) =>
  exportList(call, asked(input), {
    list: 'users',
    columns: USER_EXPORT_COLUMNS,
    headers: catalogues[call.language].users.search.columns,
    kinds: { validFrom: 'date', validTo: 'date', registeredAt: 'moment', lastLoginAt: 'moment' },
    read: (tx) => everyRowOf(userRows(tx, call.actor, input, call.language)),
    cells: (row) => row,
    peopleIn: ({ id }) => [id],
  })

/** Returns the input without the days, unless the filter that uses them is set. */
function asked({ lastLoginDays, ...others }: ParsedInputOf<typeof endpoint>) {
  return others.lastLogin === LAST_LOGIN.before ? { ...others, lastLoginDays } : others
}
