import { expect, test, vi } from 'vitest'
import { tableFile } from './table-file.ts'

vi.mock('hucre/xlsx', () => {
  throw new Error('no memory left')
})

/* Exports that cannot begin (rules/lists#export-limits). */

test('a file whose library cannot be loaded gives its place back', async () => {
  const onEnd = vi.fn(() => Promise.resolve())
  const onSent = vi.fn()
  const rows = (async function* () {})()
  await expect(
    tableFile({ format: 'csv', name: '사용자', header: [], rows, onEnd, onSent, folder: '' }),
  ).rejects.toThrow()
  expect(onEnd).toHaveBeenCalledOnce()
  expect(onSent).toHaveBeenCalledOnce()
})
