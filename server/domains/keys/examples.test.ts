import { execFile, spawnSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPassword, login } from '../../../contract/account.ts'
import { createProgram, revokeProgram } from '../../../contract/keys.ts'
import { holderOf, partnerWith } from '../../../dev/test-kit/keys.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

/* The example programs of docs/issuing-keys.md, against a Maru that listens. */
const maru = useMaru()
let env: Record<string, string>
let person: TestUser

beforeAll(async () => {
  // Nobody has called it yet: without this no request is answered.
  await maru.app.ready()
  maru.app.server.listen(0, '127.0.0.1')
  await new Promise((resolve) => maru.app.server.once('listening', resolve))
  const { port } = maru.app.server.address() as AddressInfo
  const partner = await partnerWith(maru, { limits: { total: 1 } })
  person = await holderOf(maru, partner)
  const { token } = await maru.createService()
  env = {
    MARU_URL: `http://127.0.0.1:${port}`,
    MARU_ID: person.userId,
    MARU_PW: PASSWORD,
    MARU_SERVICE_TOKEN: token,
  }
})
afterAll(() => maru.app.server.close())

const folder = new URL('../../../examples/issuing-keys/', import.meta.url)
const programs: [string, string, string[]][] = [
  ['issue-key.ts', process.execPath, ['issue-key.ts']],
  ...(hasTools() ? [['issue-key.sh', 'sh', ['issue-key.sh']] satisfies [string, string, string[]]] : []),
]

/** Not every machine has what the shell's example is made of. */
function hasTools(): boolean {
  return spawnSync('sh', ['-c', 'command -v curl openssl sed od']).status === 0
}

async function run(program: string, args: string[], own = env): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(program, args, {
    cwd: folder,
    env: { ...process.env, ...own },
  })
  return JSON.parse(stdout) as Record<string, string>
}

test.each(programs)(
  'issues a key with the %s example, the same for the same request, and verifies it',
  async (_, program, args) => {
    const issue = () => run(program, [...args, 'issue', '기기 "1" \\'])
    const { KEY_ID, ISSUED_KEY = '' } = await issue()
    expect(ISSUED_KEY).toMatch(/^MARU1\./)
    expect(await issue()).toMatchObject({ KEY_ID, ISSUED_KEY })
    expect(await run(program, [...args, 'verify', ISSUED_KEY])).toEqual({ STATE: 'valid', KEY_ID })
    expect(await run(program, [...args, 'verify', `${ISSUED_KEY}x`])).toEqual({
      STATE: 'unknown',
      KEY_ID: '',
    })
  },
)

test.each(programs)('reports the code of a refusal in the %s example', async (_, program, args) => {
  await expect(run(program, [...args, 'issue', 'one too many'])).rejects.toThrow(/KEY_LIMIT_TOTAL/)
})

test.each(programs)(
  'issues with a token in the %s example, without a password, until it ends (rules/keys#program-tokens)',
  async (name, program, args) => {
    // The programs above have logged out, and their user everywhere with them.
    const { sessionUid: session } = (await maru.call(login, { loginId: person.userId, password: PASSWORD }))
      .data
    await maru.call(checkPassword, { password: PASSWORD }, { session })
    const { data } = await maru.call(createProgram, { programName: name }, { session })
    const { MARU_URL = '' } = env
    const issue = () =>
      run(program, [...args, 'issue', '기기 "1" \\'], { MARU_URL, MARU_PROGRAM_TOKEN: data.programToken })
    expect((await issue())['ISSUED_KEY']).toMatch(/^MARU1\./)
    await maru.call(revokeProgram, { programId: data.programId }, { session })
    await expect(issue()).rejects.toThrow(/PROGRAM_TOKEN_REQUIRED/)
  },
)
