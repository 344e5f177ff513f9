import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/* Packages that Maru is built of (SECURITY.md). */

interface Package {
  license?: string
  integrity?: string
  resolved?: string
  inBundle?: boolean
  dev?: boolean
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Package>
}
const installed = Object.entries(packages).filter(([path]) => path !== '')

/** They ask for no more than that their notice is passed on; MPL-2.0, of what builds the pages, for changes of its own files. */
const LICENCES = new Set([
  '(MIT OR Apache-2.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT AND ISC AND BSD-3-Clause',
  'MIT-0',
  'MPL-2.0',
  'PSF-2.0',
  'Unlicense',
])

/** Packages that name their license only in their readme or in the head of their files. */
const READ: Record<string, string> = {
  'node_modules/@react-aria/optimize-locales-plugin': 'Apache-2.0',
  'node_modules/combine-errors': 'MIT',
}

test('takes every package from the npm registry and holds it to its checksum', () => {
  const loose = installed.filter(
    ([, { integrity, resolved, inBundle }]) =>
      !inBundle &&
      (integrity === undefined || (resolved ?? '').replace('https://registry.npmjs.org/', '').includes('//')),
  )
  expect(loose.map(([path]) => path)).toEqual([])
})

test('has only server packages with a license that allows use by a company', () => {
  const others = installed.filter(
    ([path, { dev, license }]) => !dev && !LICENCES.has(license ?? READ[path] ?? ''),
  )
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
})
