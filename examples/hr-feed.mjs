// Registers, updates and suspends users by a CSV file of the HR system. Prints what failed, and exits with 1 then.
//   MARU_URL=… MARU_PROGRAM_TOKEN=… node hr-feed.mjs people.csv     (scopes users:write and users:suspend)
// Columns: userId, name and the others of an import, and `left`, which is filled for people who have left.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
const { MARU_URL, MARU_PROGRAM_TOKEN: token } = process.env
async function call(name, input) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify(input)
  const answer = await fetch(`${MARU_URL}/api/v2/users/${name}`, { method: 'POST', headers, body })
  if (answer.ok) return answer.json()
  if (answer.status !== 429) throw new Error((await answer.json()).code)
  return sleep(Number(answer.headers.get('retry-after')) * 1000).then(() => call(name, input))
}
const fail = (what, why) => ((process.exitCode = 1), process.stderr.write(`${what}: ${why}\n`))
async function goodOf(check, rows) {
  const { errors } = rows.length > 0 ? await call(check, { rows }) : { errors: [] }
  for (const { row, field, message } of errors) fail(rows[row - 1].userId, `${field}: ${message}`)
  return rows.filter((_, index) => !errors.some(({ row }) => row === index + 1))
}
async function feed(rows) {
  const { errors } = await call('checkImport', { rows })
  const isKnown = (_, index) => errors.some(({ row, field }) => row === index + 1 && field === 'userId')
  const { true: known = [], false: added = [] } = Object.groupBy(rows, isKnown)
  const [addable, editable] = [await goodOf('checkImport', added), await goodOf('checkUpdates', known)]
  if (addable.length > 0) await call('importUsers', { rows: addable })
  const { version, userCount } = editable.length > 0 ? await call('checkUpdates', { rows: editable }) : {}
  if (userCount > 0) await call('updateByImport', { rows: editable, version })
}
const unquoted = (cell) => cell.replace(/^"(.*)"$/, '$1').replaceAll('""', '"')
const parse = (row) => row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map(unquoted)
const [head, ...lines] = readFileSync(process.argv[2], 'utf8').trim().split(/\r?\n/).map(parse)
const people = lines.map((line) => Object.fromEntries(head.map((name, index) => [name, line[index]])))
const rows = people.flatMap(({ left, ...row }) => (left ? [] : [row]))
// A check returns at most 1,000 errors, and a row has at most 11.
for (let at = 0; at < rows.length; at += 90)
  await feed(rows.slice(at, at + 90)).catch(({ message }) => fail(`rows from ${rows[at].userId}`, message))
const suspend = (userId) => call('suspendUser', { userId, suspendedFor: 'OTHER', reason: '퇴사' })
for (const { userId, left } of people)
  if (left) await suspend(userId).catch(({ message: why }) => why === 'RECORD_CHANGED' || fail(userId, why))
