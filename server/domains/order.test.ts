import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { contract } from '../../contract/index.ts'

/** The domains in the order in which they may import each other, lower ones first (design/domains#import-order). */
const ORDER = [
  'common',
  'account',
  'exports',
  'imports',
  'settings',
  'roles',
  'sso',
  'partners',
  'affiliations',
  'teams',
  'approvals',
  'users',
  'scim',
  'keys',
  'notices',
  'audit',
  'events',
  'notifications',
  'home',
]

/** The layers of the server in the order in which they may import each other, lower ones first. */
const LAYERS = ['db', 'services', 'records', 'callers', 'http', 'domains', 'operator', 'jobs', 'cli']

const ROOT = join(import.meta.dirname, '..', '..')

/** An import of one file by another; both as paths from the root. */
interface Import {
  file: string
  imported: string
}

/** Lists the relative imports of the files below a folder; tests may import whatever they check. */
function importsBelow(folder: string): Import[] {
  return globSync(`${folder}/**/*.ts`, { cwd: ROOT, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\b(?:from|import)[ (]'(\.[^']+)'/g)].map(
      ([, path = '']) => ({ file, imported: join(dirname(file), path) }),
    ),
  )
}

/** Returns the domain of a file below `folder`; undefined for a file that belongs to none. */
function domainOf(folder: string, path: string): string | undefined {
  const [domain = ''] = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split(/[/.]/) : []
  return ORDER.includes(domain) ? domain : undefined
}

const written = ({ file, imported }: Import) => `${file} imports ${imported}`

test('orders every noun of the contract and every folder of domains', () => {
  const folders = globSync('*/', { cwd: import.meta.dirname }).map((folder) => folder.replace(/\/$/, ''))
  expect(folders.toSorted()).toEqual(ORDER.toSorted())
  expect(ORDER).toEqual(expect.arrayContaining(Object.keys(contract)))
})

test.each(['contract', 'server/domains'])('lets no domain in %s import a later one', (folder) => {
  const rank = (path: string) => ORDER.indexOf(domainOf(folder, path) ?? '')
  const imports = importsBelow(folder).filter(
    ({ file, imported }) => rank(file) >= 0 && rank(imported) > rank(file),
  )
  expect(imports.map(written)).toEqual([])
})

test('lets a domain use another through its index.ts alone', () => {
  const imports = importsBelow('server/domains').filter(({ file, imported }) => {
    const [own, other] = [file, imported].map((path) => domainOf('server/domains', path))
    return own !== undefined && other !== undefined && own !== other && !/\/\w+\/index\.ts$/.test(imported)
  })
  expect(imports.map(written)).toEqual([])
})

test.each(LAYERS.slice(0, -1))('lets no file of server/%s import a later layer', (layer) => {
  const later = LAYERS.slice(LAYERS.indexOf(layer) + 1)
  const imports = importsBelow(`server/${layer}`).filter(({ imported }) =>
    later.some((folder) => imported.startsWith(`server/${folder}/`)),
  )
  expect(imports.map(written)).toEqual([])
})
