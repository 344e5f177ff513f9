import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const read = {
  path: '/x/v1/get/thing',
  summary: '',
  access: 'signed-in',
  audit: 'none',
  personal: 'none',
} as const

describe('endpoint', () => {
  test('adds an empty input and output, and no error codes (rules/wire#calls)', () => {
    const { input, output, errors } = endpoint(read)
    expect(z.safeParse(input, {}).success).toBe(true)
    expect(z.safeParse(input, { page: 1 }).success).toBe(false)
    expect(output.parse({ name: 'x' })).toEqual({})
    expect(errors).toEqual([])
  })

  test.each([
    [{}, 'read'],
    [{ audit: 'notice.create' }, 'write'],
    [{ path: '/x/v1/upd/thing' }, 'write'],
    [{ path: '/x/v1/exp/things' }, 'export'],
    [{ auditsEach: true }, 'heavy'],
    [{ maxBytes: 10_000_000 }, 'heavy'],
    [{ perPerson: 'mail' }, 'mail'],
  ] as const)('gives a read with %j the class %s (rules/wire#calls-per-person)', (more, perPerson) => {
    expect(endpoint({ ...read, ...more }).perPerson).toBe(perPerson)
  })

  test('does not compile a call without access policy, audit action or personal data (rules/roles#deny-by-default)', () => {
    const { access, audit, personal, ...rest } = read
    // @ts-expect-error It has no access policy.
    endpoint({ ...rest, audit, personal })
    // @ts-expect-error It states no audit action.
    endpoint({ ...rest, access, personal })
    // @ts-expect-error It states no personal data.
    endpoint({ ...rest, access, audit })
    expect(endpoint({ ...rest, access, audit, personal })).toMatchObject(read)
  })
})
