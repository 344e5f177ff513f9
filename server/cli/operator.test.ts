import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

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

test('a command that is called wrongly says in one line what it does not take and how it is called (rules/running#operator-commands)', () => {
  expect(run('psql', '--wrong')).toEqual([
    1,
    '',
    `Unknown option '--wrong'. It is called like this: ${PSQL}\n`,
  ])
  expect(run('psql', '-c')[2]).toMatch(/^Option '-c, .* argument missing\. It is called like this: .+\n$/)
})

test('a command says how it is called when it is asked (rules/running#operator-commands)', () => {
  expect(run('psql', '--help')).toEqual([0, `${PSQL}\n`, ''])
})

test('a command whose output nobody reads to its end does its work all the same (rules/running#operator-commands)', async () => {
  const file = fileURLToPath(new URL('psql.ts', import.meta.url))
  const child = spawn(process.execPath, [file, '--help'], { cwd: tmpdir() })
  child.stdout.destroy()
  let complained = ''
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()))
  expect([...(await once(child, 'close')), complained]).toEqual([0, null, ''])
})
