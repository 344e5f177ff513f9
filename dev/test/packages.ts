import { spawnSync } from 'node:child_process'

/** A package manager of the system that the tests can use. */
export type Manager = 'apt-get' | 'dnf' | 'apk' | 'brew'

/** Commands of each package manager. */
const COMMANDS: Record<Manager, { before: string[][]; add: string[]; asRoot: boolean }> = {
  'apt-get': {
    before: [['apt-get', 'update', '-qq']],
    add: ['apt-get', 'install', '-y', '-qq', '--no-install-recommends'],
    asRoot: true,
  },
  dnf: { before: [], add: ['dnf', 'install', '-y', '-q'], asRoot: true },
  apk: { before: [], add: ['apk', 'add', '-q', '--update-cache'], asRoot: true },
  brew: { before: [], add: ['brew', 'install', '-q'], asRoot: false },
}

/**
 * Installs packages without questions, with the first package manager that this machine has.
 * @param names packages for each manager
 * @returns undefined, or the reason of a failure
 */
export function installPackages(names: Partial<Record<Manager, string[]>>): string | undefined {
  const manager = (['apt-get', 'dnf', 'apk', 'brew'] as const).find((name) => succeeds(name, '--version'))
  if (manager === undefined) return 'no package manager that Maru knows'
  const packages = names[manager]
  if (!packages) return `not to be had from ${manager}`
  const { before, add, asRoot } = COMMANDS[manager]
  const prefix = asRoot && process.getuid?.() !== 0 ? ['sudo', '-n'] : []
  if (prefix.length > 0 && !succeeds('sudo', '-n', 'true'))
    return `${manager} needs root, and sudo asks for a password`
  say(`Installing ${packages.join(', ')} with ${manager} …`)
  for (const command of [...before, [...add, ...packages]]) {
    const [file = '', ...args] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', ...command]
    // Its own words are shown only when it fails.
    const result = spawnSync(file, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })
    if (result.status === 0) continue
    say(`${result.stdout}${result.stderr}`.trimEnd())
    return `"${command.join(' ')}" failed`
  }
  return undefined
}

/** Returns whether a program runs and exits with 0. */
function succeeds(file: string, ...args: string[]): boolean {
  return spawnSync(file, args, { stdio: 'ignore' }).status === 0
}

/** Prints a line to the standard output. */
function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
