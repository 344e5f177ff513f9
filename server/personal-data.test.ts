import { expect, test } from 'vitest'
import { endpoints } from '../contract/index.ts'
import { issueKey } from '../contract/keys.ts'
import { FUNCTIONS } from '../contract/permissions.ts'
import { attach, writeNotice } from '../dev/test-kit/files.ts'
import { holderOf, partnerWith } from '../dev/test-kit/keys.ts'
import { type Answer, useMaru } from '../dev/test-kit/maru.ts'
import { sampleOf } from '../dev/test-kit/samples.ts'

const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

/** Functions that open people's records, or exports of them. */
const OF_PEOPLE = ['autho_user_search', 'autho_user_manage', 'autho_audit_search', 'autho_export_personal']

const PHONE = '01098765432'
const EMAIL = 'far.away@example.com'

/** Everything that every call answers somebody, as text; `after` looks at each answer. */
async function everythingTo(
  session: string,
  after: (path: string, answer: Answer) => Promise<unknown> = () => Promise.resolve(),
): Promise<string> {
  let text = ''
  for (const entry of endpoints.filter(
    ({ name }) => !['logout', 'setPassword', 'withdrawUser'].includes(name),
  )) {
    const answer = await maru.callRaw(entry.endpoint.path, sampleOf(entry), { session })
    await after(entry.endpoint.path, answer)
    const { data, bytes } = answer
    // Enveloped answers are decoded; files and refusals are read as text.
    text += `\n${entry.name} ${data === undefined ? bytes.toString('utf8') : JSON.stringify(data)}`
  }
  return text
}

test("masks a user's phone number and email unless the reader administers users (rules/keys#phone-numbers, rules/lists#masking)", async () => {
  const person = await holderOf(maru, await partnerWith(maru), { phoneNumber: PHONE, email: EMAIL })
  await maru.call(issueKey, { requestKey: 'mine' }, person)
  const noticeId = await writeNotice(maru, person)
  await attach(maru, person, noticeId, '자료.txt', '내용')
  await sql('update notices set must_read = true')
  await sql(
    `insert into audit_log (action, target, detail, address, request_id, records) select action, $1, $2, '-', '-', records
      from (values ('user.update', array['user/' || $3::text]), ('notice.update', array['notice/' || $4::text]),
        ('partner.update', null), ('role.update', null), ('affiliation.update', null)) as each (action, records)`,
    [person.userId, JSON.stringify({ name: { before: '가', after: '나' } }), person.id, noticeId],
  )
  await sql(
    `insert into roles (code, group_name, name_en, sort_order) values ('AUT970', '나머지', 'The rest', 9)`,
  )
  await sql(`insert into role_functions select 'AUT970', unnest($1::text[])`, [
    FUNCTIONS.filter((name) => !OF_PEOPLE.includes(name)),
  ])
  // Viewers are of another affiliation, because the own one sees the contacts (rules/colleagues#what-colleagues-see).
  const elsewhere = {
    affiliation: 'BEL002',
    partner: await maru.createPartner({ affiliation: 'BEL002' }),
  }
  const [nobody, rest, hr] = [
    await maru.createUser(elsewhere),
    await maru.createUser(elsewhere),
    await maru.createUser({ role: 'hr' }),
  ]
  await sql(`update users set role_code = 'AUT970' where id = $1`, [rest.id])
  for (const { session } of [nobody, rest]) {
    const told = await everythingTo(session)
    expect(told).toContain('010-****-5432')
    expect(told).not.toMatch(/9876-?5432/)
    expect(told).not.toContain(EMAIL)
  }
  // Proves that the search would find them: a user who administers users receives both.
  const told = await everythingTo(hr.session)
  expect([told.includes(PHONE), told.includes(EMAIL)]).toEqual([true, true])
})

/** Returns users.id of every user whose login ID, phone number or email the answer contains. */
async function peopleOf(text: string): Promise<string[]> {
  const rows = await sql(
    `select id from users where phone_number <> '' and position(phone_number in $1) > 0 or position(email in $1) > 0
       or phone_number <> '' and position(substr(phone_number, 1, 3) || '-****-' || substr(phone_number, 8) in $1) > 0`,
    [text],
  )
  return rows.map(({ id }) => id as string)
}

/** Calls that the log omits on purpose: users publish these about themselves, or it is a company's own data. */
const SILENT: string[] = endpoints
  .filter(({ endpoint }) => endpoint.personal === 'none')
  .map(({ endpoint }) => endpoint.path)

test("logs each call that reveals a user's phone number or email, and no other (rules/audit#access-log)", async () => {
  const person = await holderOf(maru, await partnerWith(maru), { email: 'also.far@example.com' })
  await maru.call(issueKey, { requestKey: 'theirs' }, person)
  for (const role of ['user', 'admin'] as const) {
    const actor = await maru.createUser({ role })
    await everythingTo(actor.session, async (path, { status, headers, bytes, data, code }) => {
      const rows = await sql(
        'select act, result, actor_id, address, subjects from access_log where request_id = $1 order by position',
        [headers['x-request-id']],
      )
      const told = await peopleOf(data === undefined ? bytes.toString('utf8') : JSON.stringify(data))
      const others = told.filter((id) => id !== actor.id)
      if (SILENT.includes(path)) return expect([path, rows, others]).toEqual([path, [], []])
      const named = rows.flatMap(({ subjects }) => subjects as string[])
      expect([path, others.filter((id) => !named.includes(id))]).toEqual([path, []])
      const isNoInput = code === 'INPUT_INVALID' || code === 'ENVELOPE_INVALID' || code === 'SESSION_REQUIRED'
      expect([path, rows.length > 0], `${path} ${status} ${code}`).toEqual([path, !isNoInput])
      for (const { result } of rows) expect([path, result]).toEqual([path, code ?? ''])
    })
  }
})
