import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replaceFile } from './durable-files.ts'

test('replaces a file also while the same process writes it at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maru-durable-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'head.json')
  const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`)
  await Promise.all(texts.map((text) => replaceFile(path, text)))
  expect(texts).toContain(readFileSync(path, 'utf8'))
  expect(readdirSync(folder)).toEqual(['head.json'])
})
