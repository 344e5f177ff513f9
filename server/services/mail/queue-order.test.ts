import { describe, expect, test } from 'vitest'
import { mailTexts } from '../../../contract/messages/mails.ts'
import { CODE, eventually, useMailQueue } from '../../../dev/test-kit/mail-queue.ts'
import { queueMails } from '../mail.ts'
import { removeMail, takeDue } from './queue.ts'

/* Order of outgoing mail (rules/running#mail-queue): urgent mail first, then one mail per requester in rotation. */
const kit = useMailQueue()
const text = mailTexts.ko.signUpCode('마루상사', CODE)

const queue = (requester: string, recipients: readonly string[], isUrgent = false) =>
  kit.database.db.transaction().execute((tx) =>
    queueMails(
      tx,
      recipients.map((to) => ({ to, language: 'ko' as const, text, link: null, requester, isUrgent })),
    ),
  )
const many = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}${n}@example.com`)

/** Sends the next mails and answers to whom. */
async function send(count: number): Promise<(string | null)[]> {
  const { pool } = kit.database
  const sent = []
  for (let i = 0; i < count; i += 1) {
    const mail = await takeDue(pool)
    if (mail === undefined) break
    await removeMail(pool, mail)
    sent.push(mail.recipient)
  }
  return sent
}

describe('of what is queued', () => {
  test('sends a code before thousands of mails that one employee has queued', async () => {
    await queue('person 1', many('reminded', 5000))
    await queue('person 2', ['code@example.com'], true)
    expect(await send(2)).toEqual(['code@example.com', 'reminded0@example.com'])
  })

  test('sends one mail per requester before a second one, in order of arrival', async () => {
    await queue('person 1', many('a', 2000))
    expect(await send(3)).toEqual(['a0@example.com', 'a1@example.com', 'a2@example.com'])
    await queue('person 2', many('b', 2))
    await queue('person 3', ['c@example.com'])
    expect(await send(6)).toEqual([
      'a3@example.com',
      'b0@example.com',
      'c@example.com',
      'a4@example.com',
      'b1@example.com',
      'a5@example.com',
    ])
    // A requester's further mails queue behind their earlier ones and get no second slot in the rotation.
    await queue('person 1', ['last@example.com'])
    await queue('person 4', ['d@example.com'])
    expect(await send(2)).toEqual(expect.arrayContaining(['d@example.com']))
    expect(await send(3000)).toHaveLength(1994)
    expect(await send(1)).toEqual([])
  })

  test('starts the rounds of each requester again within one call', async () => {
    await kit.database.db.transaction().execute((tx) =>
      queueMails(
        tx,
        [...many('to-all', 30), 'own@example.com'].map((to, index) => ({
          to,
          language: 'ko' as const,
          text,
          link: null,
          requester: index < 30 ? 'many' : 'person 1',
        })),
      ),
    )
    expect(await send(2)).toEqual(['to-all0@example.com', 'own@example.com'])
    await send(29)
  })

  test('sends a requested code before a hundred that a stranger requested', async () => {
    await queue('203.0.113.9', many('stranger', 100), true)
    await queue('198.51.100.2', ['owner@example.com'], true)
    expect(await send(2)).toContain('owner@example.com')
  })

  test('is not held up by deferred mail, and ignores mail that was given up', async () => {
    await queue('person 1', many('late', 3))
    await kit.database.pool.query(`update mails set next_try_at = now() + interval '1 hour'`)
    await queue('person 2', ['now@example.com'])
    expect(await send(2)).toEqual(['now@example.com'])
    await kit.database.pool.query(`update mails set next_try_at = now(), failed_at = now()`)
    await queue('person 1', ['again@example.com'])
    expect(await send(1)).toEqual(['again@example.com'])
  })
})

test('reserves a connection for codes, however slowly the server takes other mail', async () => {
  kit.smtp.onRecipient = (address) => (address.startsWith('slow') ? 'stall' : undefined)
  const sender = kit.startSender()
  await queue('person 1', many('slow', 20))
  sender.wake()
  await eventually(async () => expect((await kit.rows()).filter(({ tries }) => tries > 0)).toHaveLength(2))
  await queue('person 2', ['code@example.com'], true)
  sender.wake()
  await kit.smtp.mailTo('code@example.com')
  expect((await kit.rows()).filter(({ tries, urgent }) => tries > 0 && !urgent)).toHaveLength(2)
})
