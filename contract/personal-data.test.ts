import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import type { PersonalPlace } from './endpoint.ts'
import { endpoints } from './index.ts'
import { fields } from './messages/ko/fields.ts'
import { definitionOf } from './wire.ts'

/** Returns the schema at the next step of a path in a schema; undefined if there is none. */
function stepInto(schema: z.ZodMiniType | undefined, step: string): z.ZodMiniType | undefined {
  if (schema === undefined) return undefined
  const { innerType, element, shape } = definitionOf(schema)
  if (innerType) return stepInto(innerType, step)
  return step === '' ? element : shape?.[step]
}

function isThere(from: z.ZodMiniType, place: PersonalPlace): boolean {
  const steps = place
    .split('.')
    .slice(1)
    .flatMap((step) => (step.endsWith('[]') ? [step.slice(0, -2), ''] : [step]))
  return steps.reduce<z.ZodMiniType | undefined>(stepInto, from) !== undefined
}

test('finds each place where a call names users in its input or its output (rules/audit#access-log)', () => {
  for (const { name, endpoint } of endpoints) {
    const { personal } = endpoint
    for (const place of personal === 'none' ? [] : (personal.slice(1) as PersonalPlace[])) {
      if (place.startsWith('in.'))
        expect([name, place, isThere(endpoint.input, place)]).toEqual([name, place, true])
      if (place.startsWith('out.'))
        expect([name, place, isThere(endpoint.output, place)]).toEqual([name, place, true])
    }
  }
})

test('logs each export of users and each call that changes an account (rules/audit#access-log)', () => {
  const silent = endpoints.filter(({ endpoint: { audit, personal } }) => {
    const isOfPeople = audit !== 'none' && /^(user|account)\./.test(audit)
    return isOfPeople && personal === 'none'
  })
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('names every filter of a search that the access log records (rules/audit#access-search)', () => {
  const personal = endpoints.filter(({ endpoint }) => endpoint.personal !== 'none')
  for (const { name, endpoint } of personal) {
    if (endpoint.personal[0] !== 'search' && endpoint.personal[0] !== 'export') continue
    for (const field of Object.keys(definitionOf(endpoint.input).shape ?? {}))
      expect([name, fields]).toEqual([name, expect.objectContaining({ [field]: expect.any(String) })])
  }
})
