import type { OutputOf } from '../../../contract/endpoint.ts'
import type { FunctionName } from '../../../contract/permissions.ts'
import { listRoleChanges, ROLE_CHANGES_PER_PAGE } from '../../../contract/roles.ts'
import { query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf } from '../../lists/columns.ts'
import { ListResults } from '../../lists/list-results.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { useListPage } from '../../lists/use-list-page.ts'
import { usePlainList } from '../../lists/use-list.ts'
import { Card } from '../../ui/card.tsx'
import { useRoleName } from './role-names.ts'

type Change = OutputOf<typeof listRoleChanges>['changes'][number]

/** One page of the record of changes. */
export const changesQuery = (page: number) => query(listRoleChanges, { page, perPage: ROLE_CHANGES_PER_PAGE })

/** The record of changes: who changed what, when, from what to what. */
export function RoleChanges() {
  const t = usePortalMessages().roles
  const list = usePlainList()
  const page = useListPage(list, changesQuery(list.page), ROLE_CHANGES_PER_PAGE)
  useShowRefusal(page.error)
  return (
    <Card title={t.changes}>
      <ListResults
        page={page}
        isShort
        texts={{
          results: t.changes,
          loading: t.changesLoading,
          empty: t.changesEmpty,
          failed: t.changesFailed,
        }}
        columns={useColumns()}
        rows={page.data?.changes ?? []}
        getRowKey={(row) => row.rowNumber}
      />
    </Card>
  )
}

function useColumns(): ListColumn<Change>[] {
  const t = usePortalMessages().roles
  const nameOf = useRoleName()
  const differenceOf = useDifference()
  const roleOf = ({ before, after }: Change) => {
    const role = after ?? before
    return role === null ? '' : nameOf(role)
  }
  const { text, column } = columnsOf<Change, keyof typeof t.columns>(t.columns)
  const person = ({ name, userId }: Change) => (userId === '' ? name : `${name} (${userId})`)
  return [
    text('rowNumber', { width: 72, align: 'center' }),
    text('changedAt', { width: 172 }),
    column('USER', person, { width: 190 }),
    column('ROLE', roleOf, { isRowHeader: true, width: 160 }),
    column('WHAT', (row) => differenceOf(row)[0], { width: 160 }),
    column('before', (row) => differenceOf(row)[1]),
    column('after', (row) => differenceOf(row)[2]),
  ]
}

/** What a change was, in words: what, before, after. */
function useDifference(): (change: Change) => [what: string, before: string, after: string] {
  const t = usePortalMessages().roles
  const functions = (list: readonly FunctionName[]) => list.map((name) => t.functions[name][0]).join(', ')
  return ({ before, after }) => {
    if (before === null) return [t.created, t.none, after === null ? t.none : names(after)]
    if (after === null) {
      return [t.removed, [names(before), functions(before.functions)].filter(Boolean).join(' · '), t.none]
    }
    const granted = after.functions.filter((name) => !before.functions.includes(name))
    if (granted.length > 0) return [functions(granted), t.denied, t.allowed]
    const revoked = before.functions.filter((name) => !after.functions.includes(name))
    if (revoked.length > 0) return [functions(revoked), t.allowed, t.denied]
    return [t.renamed, names(before), names(after)]
  }
}

function names({ roleName, roleNameEn }: NonNullable<Change['after']>): string {
  return `${roleName} / ${roleNameEn}`
}
