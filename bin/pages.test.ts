import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

let checkout: string

// A checkout with one page and, in Vite's place, a program that notes each time it builds.
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'maru-test-pages-'))
  cpSync(import.meta.dirname, join(checkout, 'bin'), { recursive: true })
  for (const folder of ['web', 'node_modules/vite/bin'])
    mkdirSync(join(checkout, folder), { recursive: true })
  writeFileSync(join(checkout, 'web', 'page.tsx'), 'one')
  writeFileSync(
    join(checkout, 'node_modules/vite/bin/vite.js'),
    `const fs = require('node:fs')
     fs.mkdirSync('dist/web', { recursive: true })
     fs.writeFileSync('dist/web/index.html', '')
     fs.appendFileSync('dist/builds', 'x')`,
  )
})

afterEach(() => rmSync(checkout, { recursive: true, force: true }))

/** Starts in a checkout and returns how often its pages have been built there. */
async function buildsAfterStart(root = checkout): Promise<number> {
  const { buildPages } = (await import(pathToFileURL(join(root, 'bin', 'pages.mjs')).href)) as {
    buildPages: (node: string) => Promise<void>
  }
  await buildPages(process.execPath)
  const { size } = statSync(join(root, 'dist', 'builds'))
  return size
}

test('builds pages once, and again when the text of a source changes', async () => {
  expect(await buildsAfterStart()).toBe(1)
  expect(await buildsAfterStart()).toBe(1)
  writeFileSync(join(checkout, 'web', 'page.tsx'), 'two')
  expect(await buildsAfterStart()).toBe(2)
  utimesSync(join(checkout, 'web', 'page.tsx'), 0, 0)
  expect(await buildsAfterStart()).toBe(2)
})

test('starts a read-only copy of a checkout with the pages that were built', async () => {
  await buildsAfterStart()
  const copy = `${checkout}-copy`
  cpSync(checkout, copy, { recursive: true, preserveTimestamps: false })
  chmodSync(join(copy, 'dist', 'pages.stamp'), 0o400)
  try {
    expect(await buildsAfterStart(copy)).toBe(1)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
