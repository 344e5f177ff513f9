import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { pages, type PagePath } from '../../contract/pages.ts'
import { router } from './router.tsx'

/** A storage of the browser that holds these values. */
function storageOf(values: Record<string, string>) {
  const stored = new Map(Object.entries(values))
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  }
}

const paths = Object.keys(pages) as PagePath[]
const guarded = paths.filter((path) => pages[path].needsLogin)
const free = paths.filter((path) => !pages[path].needsLogin)

/** Returns where the route of a path redirects to before it loads anything; the path itself if it does not redirect. */
async function targetOf(path: PagePath): Promise<string | undefined> {
  const { beforeLoad } = router.routesByPath[path].options
  const location = { pathname: path, search: {}, hash: '', state: {} }
  try {
    await (beforeLoad as (address: object) => unknown)({ search: {}, location })
    return path
  } catch (error) {
    return (error as { options: { to?: string } }).options.to
  }
}

const targetsOf = async (from: readonly PagePath[]) => new Set(await Promise.all(from.map(targetOf)))

beforeEach(() => vi.stubGlobal('sessionStorage', storageOf({})))
afterEach(() => vi.unstubAllGlobals())

describe('without a session (rules/frame#login-guard)', () => {
  beforeEach(() => vi.stubGlobal('localStorage', storageOf({})))

  test('every page that needs a login leads to /login', async () => {
    expect(guarded.length).toBeGreaterThan(20)
    expect(await targetsOf(guarded)).toEqual(new Set(['/login']))
  })

  test('every other page stays where it is, but /logout, which leads to /login', async () => {
    for (const path of free) expect(await targetOf(path), path).toBe(path === '/logout' ? '/login' : path)
  })

  test('a session token without a user is no session', async () => {
    vi.stubGlobal('localStorage', storageOf({ session_uid: 'something' }))
    expect(await targetsOf(guarded)).toEqual(new Set(['/login']))
  })
})

describe('with a session', () => {
  const session = { session_uid: 'something', session_user_id: 'kim' }

  test('/ and /login lead to /main, and every other page stays (rules/frame#pages)', async () => {
    vi.stubGlobal('localStorage', storageOf(session))
    for (const path of paths)
      expect(await targetOf(path), path).toBe(path === '/' || path === '/login' ? '/main' : path)
  })

  test.each([
    ['session_password_change', '/password'],
    ['session_factor_set_up', '/second-factor'],
    ['session_acceptance', '/privacy'],
  ])('and %s, every page that needs a login leads to %s', async (key, gate) => {
    vi.stubGlobal('localStorage', storageOf({ ...session, [key]: 'Y' }))
    expect(await targetsOf(guarded)).toEqual(new Set([gate]))
  })
})
