import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { moveTarget } from './move-target.ts'

/** Runs an operator's command as npm does. @returns its status and what it said on each channel */
function run(command: string, ...words: string[]): [status: number | null, out: string, error: string] {
  const file = fileURLToPath(new URL(`${command}.ts`, import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], {
    cwd: tmpdir(),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  })
  return [status, stdout, stderr]
}

const PSQL = 'npm run psql, or npm run psql -- -c "select …"'

test('reports a wrong argument in one line, with the usage (rules/running#operator-commands)', () => {
  expect(run('psql', '--wrong')).toEqual([1, '', `Unknown option '--wrong'. Usage: ${PSQL}\n`])
  expect(run('psql', '-c')[2]).toMatch(/^Option '-c, .* argument missing\. Usage: .+\n$/)
})

test('prints its usage for --help (rules/running#operator-commands)', () => {
  expect(run('psql', '--help')).toEqual([0, `${PSQL}\n`, ''])
})

test('finishes a command whose output is not read to the end (rules/running#operator-commands)', async () => {
  const file = fileURLToPath(new URL('psql.ts', import.meta.url))
  const child = spawn(process.execPath, [file, '--help'], { cwd: tmpdir() })
  child.stdout.destroy()
  let complained = ''
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()))
  expect([...(await once(child, 'close')), complained]).toEqual([0, null, ''])
})

const target = (words: string[], env: Record<string, string> = {}, input = '') =>
  moveTarget(words, env, Readable.from([input]))

describe('npm run move (rules/running#move)', () => {
  // Nothing listens there.
  const NOWHERE = 'postgres://maru:s3cret@127.0.0.1:1/maru'

  test.each([
    NOWHERE,
    'postgresql://maru@127.0.0.1:1/maru?password=s3cret',
    'postgres://maru@127.0.0.1:1/maru?ssl=true&pass%77ord=s3cret',
    'postgres://maru:s3cret@127.0.0.1:port/maru',
    'host=127.0.0.1 password=s3cret',
  ])('refuses a password on the command line and does not repeat it: %s', async (url) => {
    const refused = await target([url]).catch((error: Error) => error.message)
    expect(refused).toMatch(/^A password on the command line .*MOVE_TO_URL.*standard input/)
    expect(refused).not.toContain('s3cret')
  })

  test('takes the URL from environment or standard input; as argument without a password', async () => {
    expect(await target([], { MOVE_TO_URL: NOWHERE })).toBe(NOWHERE)
    expect(await target(['-'], {}, `${NOWHERE}\n`)).toBe(NOWHERE)
    expect(await target(['postgres://maru@db/maru'])).toBe('postgres://maru@db/maru')
    expect(await target(['own'], { MOVE_TO_URL: NOWHERE })).toBe('own')
    expect(await target([])).toBeUndefined()
    expect(await target(['own', 'own'])).toBeUndefined()
    await expect(target([], { MOVE_TO_URL: 'maru:s3cret@db' })).rejects.toThrow(/^This is not the URL[^]*$/)
    await expect(target(['-'], {}, 'maru:s3cret@db')).rejects.not.toThrow(/s3cret/)
  })

  test('reads both before it opens a database', () => {
    const file = fileURLToPath(new URL('move.ts', import.meta.url))
    const env = { PATH: process.env['PATH'], DATABASE_URL: NOWHERE }
    const move = (words: string[], more: NodeJS.ProcessEnv = {}) =>
      spawnSync(process.execPath, [file, ...words], {
        cwd: tmpdir(),
        encoding: 'utf8',
        env: { ...env, ...more },
      }).stderr
    expect(move([NOWHERE])).toMatch(/^A password on the command line/)
    expect(move([], { MOVE_TO_URL: NOWHERE })).toBe('The database is already there. Name another target.\n')
  })
})
