/**
 * Issues or verifies a key of Maru; needs nothing but Node.js.
 *   node issue-key.ts issue REQUEST_KEY     needs MARU_PROGRAM_TOKEN, or MARU_ID and MARU_PW
 *   node issue-key.ts verify ISSUED_KEY     needs MARU_SERVICE_TOKEN
 * MARU_URL (http://localhost:3000), ENVELOPE_KEY and ENVELOPE_IV are those of the deployment.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'

const { env } = process
const url = env['MARU_URL'] ?? 'http://localhost:3000'
const key = Buffer.from(env['ENVELOPE_KEY'] ?? 'maru-portal-envelope-aes256-key!', 'ascii')
const iv = Buffer.from(env['ENVELOPE_IV'] ?? 'maru-portal-iv16', 'ascii')

function seal(value: object): string {
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  return cipher.update(JSON.stringify(value), 'utf8', 'base64') + cipher.final('base64')
}

function unseal(text: string): Record<string, string> {
  const decipher = createDecipheriv('aes-256-cbc', key, iv)
  return JSON.parse(decipher.update(text, 'base64', 'utf8') + decipher.final('utf8')) as Record<
    string,
    string
  >
}

/** Makes a call; a refusal is thrown with its code, by which a program decides. */
async function call(path: string, input: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ DATA: seal(input) }),
  })
  const answer = (await response.json()) as { DATA?: string; code?: string; msg?: string }
  if (answer.DATA === undefined) throw new Error(`${answer.code}: ${answer.msg}`)
  return unseal(answer.DATA)
}

/** Does the work with the program's own token, or with a session of the user that ends with it. */
async function signedIn(work: (headers: Record<string, string>) => Promise<void>) {
  const token = env['MARU_PROGRAM_TOKEN']
  if (token !== undefined) return work({ Authorization: `Bearer ${token}` })
  const { SESSION_UID = '' } = await call('/stm/v1/login', { ID: env['MARU_ID'], PW: env['MARU_PW'] })
  const session = { SessionId: SESSION_UID }
  try {
    await work(session)
  } finally {
    await call('/stm/v1/logout', {}, session)
  }
}

const [verb, text = ''] = process.argv.slice(2)
if (verb === 'issue') {
  await signedIn(async (headers) => {
    const issued = await call('/kmn/v1/ins/Key', { REQUEST_KEY: text }, headers)
    process.stdout.write(`${JSON.stringify(issued)}\n`)
  })
} else if (verb === 'verify') {
  const token = { Authorization: `Bearer ${env['MARU_SERVICE_TOKEN'] ?? ''}` }
  process.stdout.write(`${JSON.stringify(await call('/kmn/v1/chk/Key', { ISSUED_KEY: text }, token))}\n`)
} else {
  process.stderr.write('Usage: node issue-key.ts issue REQUEST_KEY | verify ISSUED_KEY\n')
  process.exitCode = 2
}
