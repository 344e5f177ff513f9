import { describe, expect, it } from 'vitest'
import { controlOf, freshList, shownBy, type ListState } from './list-state.ts'

/** Returns a list and the changes that its control has made. */
function startList(state: ListState) {
  const changes: [ListState, 'step' | 'replace'][] = []
  const control = controlOf(state, (next, how) => changes.push([next, how]))
  return { control, changes }
}

describe('controlOf', () => {
  it('sorts a column ascending, then descending, then not at all, from page 1', () => {
    const orders = [null, { by: 'name', order: 'asc' }, { by: 'name', order: 'desc' }] as const
    for (const [index, sort] of orders.entries()) {
      const { control, changes } = startList({ ...freshList({}), page: 3, sort })
      control.sortBy('name')
      expect(changes[0]?.[0]).toMatchObject({ page: 1, sort: orders[(index + 1) % orders.length] })
    }
  })

  it('sorts another column ascending', () => {
    const { control, changes } = startList({ ...freshList({}), sort: { by: 'name', order: 'desc' } })
    control.sortBy('userId')
    expect(changes[0]?.[0].sort).toEqual({ by: 'userId', order: 'asc' })
  })

  it('searches from page 1 and keeps the order (rules/lists#paging)', () => {
    const sort = { by: 'name', order: 'asc' } as const
    const { control, changes } = startList({ filters: {}, page: 4, sort, perPage: 20 })
    control.search({ keyword: 'kim' })
    expect(changes).toEqual([[{ filters: { keyword: 'kim' }, page: 1, sort, perPage: 20 }, 'step']])
  })

  it('has no choice of rows per page unless the list declares one', () => {
    expect(startList(freshList({})).control.resize).toBeUndefined()
  })
})

describe('shownBy', () => {
  it('drops a sort column that the call does not have', () => {
    const toInput = shownBy((filters: { keyword: string }) => filters, ['name'])
    const list = { ...freshList({ keyword: 'kim' }), sort: { by: 'name', order: 'desc' as const } }
    expect(toInput(list)).toEqual({ keyword: 'kim', sort: 'name', order: 'DESC' })
    expect(toInput({ ...list, sort: { by: 'password', order: 'asc' } })).toEqual({ keyword: 'kim' })
  })
})
