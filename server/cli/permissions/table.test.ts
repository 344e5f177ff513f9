import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { permissionsText } from './table.ts'

test('docs/permissions.md is up to date: refresh it with `npm run permissions -- --write`', () => {
  expect(readFileSync(new URL('../../../docs/permissions.md', import.meta.url), 'utf8')).toBe(
    permissionsText(),
  )
})
