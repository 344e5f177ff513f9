import { describe, expect, test } from 'vitest'
import { login } from '../../contract/account.ts'
import { API_BASE } from '../../contract/envelope.ts'
import { PASSWORD, type TestMaru, useMaru } from '../../dev/test-kit/maru.ts'
import { sealInput } from '../../dev/test-kit/seal.ts'
import { networkOf, siteOf } from './client-address.ts'

const PROXY = '10.1.1.1'

/** The address that a login through the proxy is kept with, and counted by. */
async function addressKept(maru: TestMaru, forwarded: string): Promise<string> {
  const { id, userId } = await maru.createUser()
  await maru.database.pool.query('delete from sessions where user_id = $1', [id])
  await maru.app.inject({
    method: 'POST',
    url: API_BASE + login.path,
    remoteAddress: PROXY,
    headers: { 'x-forwarded-for': forwarded, 'content-type': 'application/json' },
    payload: sealInput(login, { loginId: userId, password: PASSWORD }),
  })
  const { rows } = await maru.database.pool.query('select address from sessions where user_id = $1', [id])
  return rows[0].address
}

describe.each(['1', PROXY])('TRUST_PROXY=%s (rules/running#proxy)', (TRUST_PROXY) => {
  const maru = useMaru({ TRUST_PROXY })

  test('takes the address that the proxy saw, not one that the caller adds before it', async () => {
    expect(await addressKept(maru, '203.0.113.5')).toBe('203.0.113.5')
    expect(await addressKept(maru, '198.51.100.1, 203.0.113.5')).toBe('203.0.113.5')
  })

  test('takes the proxy’s own address when it hands on something else', async () => {
    expect(await addressKept(maru, 'somebody')).toBe(PROXY)
  })
})

describe('without TRUST_PROXY', () => {
  const maru = useMaru()
  test('ignores X-Forwarded-For and logs that once', async () => {
    expect(await addressKept(maru, '203.0.113.5')).toBe(PROXY)
    expect(await addressKept(maru, '203.0.113.6')).toBe(PROXY)
    expect(maru.log.filter(({ msg }) => msg?.includes('TRUST_PROXY'))).toHaveLength(1)
  })
})

test.each([
  ['203.0.113.5', '203.0.113.5'],
  ['::ffff:203.0.113.5', '203.0.113.5'],
  ['::ffff:cb00:7105', '203.0.113.5'],
  ['0:0:0:0:0:FFFF:cb00:7105', '203.0.113.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('queues calls from %s in the queue of %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['203.0.113.5', undefined],
  ['::ffff:203.0.113.5', undefined],
])('resolves the site of %s to %s', (address, site) => {
  expect(siteOf(address)).toBe(site)
})
