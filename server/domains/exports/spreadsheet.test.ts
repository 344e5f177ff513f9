import { expect, test, vi } from 'vitest'
import { tableFile } from './spreadsheet.ts'

vi.mock('hucre/xlsx', () => {
  throw new Error('no memory left')
})

/* Exports that cannot begin (rules/lists#export-limits). */

test('frees its slot if the library of a file cannot be loaded', async () => {
  const onEnd = vi.fn(() => Promise.resolve())
  const onSent = vi.fn()
  const rows = (async function* () {})()
  await expect(
    tableFile({ format: 'csv', name: '사용자', header: [], rows, onEnd, onSent, folder: '' }),
  ).rejects.toThrow()
  expect(onEnd).toHaveBeenCalledOnce()
  expect(onSent).toHaveBeenCalledOnce()
})
