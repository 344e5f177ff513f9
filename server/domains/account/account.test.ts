import { describe, expect, test } from 'vitest'
import { login } from '../../../contract/account.ts'
import { listUsers } from '../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../test-kit/maru.ts'

const maru = useMaru()

describe('login (spec §2, decisions §4)', () => {
  test('answers a session of 256 random bits, the login ID, and that no password change waits', async () => {
    const kim = await maru.createUser({ loginId: 'kim.minsu' })
    const answer = await maru.call(login, { ID: 'Kim.Minsu', PW: PASSWORD })
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({ USER_ID: kim.userId, PASSWORD_CHANGE: 'N' })
    expect(Buffer.from(answer.data.SESSION_UID, 'base64url')).toHaveLength(32)
  })

  test('listUsers works for an administrator', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    const answer = await maru.call(listUsers, { NAME: '홍' }, { session: admin.session })
    expect(answer.status).toBe(200)
    expect(answer.data.DATA[0]).toMatchObject({ NO: answer.data.TOTAL_COUNT, USER_ID: admin.userId })
  })
})
