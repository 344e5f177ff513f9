import { AFFILIATION_LEVELS } from '../../../contract/affiliations.ts'
import { toTree } from '../../../contract/common.ts'
import { byNames, nameKey } from '../imports/index.ts'
import type { Names } from './names.ts'

/** Existing affiliation, with the code of the one above it; '' at the top. */
export interface Present extends Names {
  affiliationCode: string
  parentCode: string
}

/**
 * Parent of a row: the code of an existing affiliation, or the index of another row (`above`). Both are undefined at
 * the top.
 */
interface Parent {
  parentCode?: string
  above?: number
}

/**
 * Reason why a row cannot be below its parent: two affiliations have the name, none has it, the parent's row cannot be
 * added, or the tree would be too deep or a cycle.
 */
type Fault = 'ambiguous' | 'unknown' | 'wrong' | 'tree'

/**
 * Finds the parents of new affiliations by name in either language. A parent is an existing affiliation or another row,
 * in any order; an existing one comes first (rules/affiliations#several-at-once). Writes nothing.
 * @param isGood whether the row with this index can be added, apart from its parent
 * @returns a function that returns the parent of a row by its index, {} for a row without one, or the reason why it
 * cannot be below it: `tree` for more than AFFILIATION_LEVELS levels or a cycle
 */
export function parentsOf(
  rows: readonly (Names & { parentName: string })[],
  present: readonly Present[],
  isGood: (index: number) => boolean,
): (index: number) => Parent | Fault {
  const codes = byNames(
    present.map(({ affiliationCode: code, name: nameKo, nameEn }) => ({ code, nameKo, nameEn })),
  )
  const tree = toTree(present, ({ affiliationCode }) => affiliationCode)
  const levels = new Map(tree.map(({ affiliationCode, depth }) => [affiliationCode, depth + 1]))
  const indexes = new Map<string, number>()
  for (const [index, { name, nameEn }] of rows.entries())
    for (const key of [nameKey(name), nameKey(nameEn)]) if (!indexes.has(key)) indexes.set(key, index)

  function parentOf(index: number): Parent | Fault {
    const key = nameKey(rows[index]?.parentName ?? '')
    if (key === '') return {}
    const parentCode = codes.get(key)
    if (parentCode === null) return 'ambiguous'
    if (parentCode !== undefined) return { parentCode }
    const above = indexes.get(key)
    return above === undefined ? 'unknown' : { above }
  }

  return (index) => {
    const parent = parentOf(index)
    // The way up from a row of a cycle never ends, so it has too many levels.
    let level = 1
    for (let next = parent; ; level += 1) {
      if (typeof next === 'string') return next === parent ? next : 'wrong'
      if (next.parentCode !== undefined) level += levels.get(next.parentCode) ?? 0
      if (level > AFFILIATION_LEVELS) return 'tree'
      if (next.above === undefined) return parent
      if (!isGood(next.above)) return 'wrong'
      next = parentOf(next.above)
    }
  }
}
