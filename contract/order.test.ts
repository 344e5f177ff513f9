import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contract } from './index.ts'

/** The order of the domains (ADR 048), which the nouns of the contract import each other in too. */
const ORDER = [
  'common',
  'account',
  'settings',
  'roles',
  'partners',
  'affiliations',
  'approvals',
  'users',
  'keys',
  'notices',
  'audit',
  'notifications',
  'home',
]

/** Which noun a file of the contract belongs to; of what they share a text that is none. */
const nounOf = (path: string) => /^(?:\.\.?\/)?(\w+)(?:\/|\.ts$)/.exec(path)?.[1] ?? ''

test('every noun of the contract has its place in the order', () => {
  expect(ORDER.toSorted()).toEqual(Object.keys(contract).toSorted())
})

test.each(ORDER)('%s imports no noun that comes after it', (noun) => {
  const files = globSync([`${noun}.ts`, `${noun}/*.ts`], { cwd: import.meta.dirname })
  expect(files).toContain(`${noun}.ts`)
  const later = ORDER.slice(ORDER.indexOf(noun) + 1)
  const imports = files.flatMap((file) =>
    [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/ from '(\.[^']+)'/g)].map(
      ([, path = '']) => `${file} imports ${nounOf(path)}`,
    ),
  )
  expect(imports.filter((line) => later.some((name) => line.endsWith(` ${name}`)))).toEqual([])
})
