// Issues a key for a device, the same for the same name.
//   MARU_URL=… MARU_PROGRAM_TOKEN=… node issue-key.mjs device-0001     (scope keys:issue)
import { setTimeout as sleep } from 'node:timers/promises'

const { MARU_URL, MARU_PROGRAM_TOKEN: token } = process.env
const request = {
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ requestKey: process.argv[2] }),
}
for (;;) {
  const answer = await fetch(`${MARU_URL}/api/v2/keys/issueKey`, request)
  const output = await answer.json()
  if (answer.ok) {
    process.stdout.write(`${output.issuedKey}\n`)
    break
  }
  if (![429, 503].includes(answer.status)) {
    process.stderr.write(`${output.code}: ${output.detail}\n`)
    process.exitCode = 1
    break
  }
  await sleep(Number(answer.headers.get('retry-after')) * 1000)
}
