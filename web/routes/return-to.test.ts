import { describe, expect, it } from 'vitest'
import { returnStateFor, returnTarget } from './return-to.ts'

const page = { pathname: '/notice/detail', search: { noticeId: '12' }, hash: '', state: {} as never }
const toMain = { to: '/main', replace: true }

describe('returnTarget', () => {
  it('returns to the page that a user left (rules/account#after-the-login)', () => {
    const state = returnStateFor(page, 'kim')
    expect(returnTarget(state as never, 'kim')).toMatchObject({
      to: '/notice/detail',
      search: { noticeId: '12' },
      replace: true,
    })
  })

  it('does not open the page of one user for another', () => {
    expect(returnTarget(returnStateFor(page, 'kim') as never, 'lee')).toEqual(toMain)
  })

  it('returns any user to a page that a guest requested', () => {
    expect(returnTarget(returnStateFor(page, null) as never, 'lee')).toMatchObject({ to: '/notice/detail' })
  })

  it('returns /main without a page, and for a path without one', () => {
    expect(returnTarget({}, 'kim')).toEqual(toMain)
    for (const pathname of ['/login', '//example.com', '/toString', '/nothing'])
      expect(returnStateFor({ ...page, pathname }, null)).toEqual({})
  })
})
