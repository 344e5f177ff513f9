import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tableTypes } from '../../dev/table-types.ts'
import { createOwnDatabase } from '../../dev/test-kit/own-database.ts'

const FILE = join(import.meta.dirname, 'types.ts')

test('match the schema; npm run tables writes them', async () => {
  const own = await createOwnDatabase()
  const types = await tableTypes(own.owner, FILE)
  await own.drop()
  await expect(types).toMatchFileSnapshot(FILE)
})
