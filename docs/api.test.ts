import { describe, expect, test } from 'vitest'
import { plainDocument } from '../server/http/plain-document.ts'
import { endpoints } from '../contract/index.ts'
import {
  type ApiDocument,
  callsIn,
  curlOf,
  fieldsOf,
  sampleOf,
  typescriptOf,
} from '../web/screens/developer/document.ts'

const calls = callsIn(plainDocument() as unknown as ApiDocument)
const callOf = (id: string) => calls.find((call) => call.id === id)!

describe('the reference of plain calls (rules/wire#plain-calls)', () => {
  test('has every offered call, with a title in both languages', () => {
    const offered = endpoints.filter(({ endpoint }) => endpoint.scope !== undefined)
    expect(calls.map(({ id }) => id)).toEqual(
      offered.map(({ domain, name }) => `${domain}/${name}`).toSorted((a, b) => a.localeCompare(b)),
    )
    for (const { id, titles } of calls) {
      expect(titles.ko, id).toMatch(/[가-힣]/)
      expect(titles.en, id).toMatch(/^[A-Z]/)
    }
  })

  test('lists the fields of lists and objects under their names', () => {
    const { input, output, errors } = callOf('users/listColleagues')
    expect(fieldsOf(input)).toContainEqual({
      path: 'perPage',
      name: 'perPage',
      type: expect.stringContaining('integer') as string,
      isRequired: false,
    })
    expect(fieldsOf(output).map(({ path }) => path)).toEqual(
      expect.arrayContaining(['colleagues', 'colleagues[].email', 'totalCount']),
    )
    expect(errors).toContainEqual(['429', expect.stringContaining('TOO_MANY_CALLS')])
  })

  test.each(calls.map(({ id }) => id))('offers an input of %s with all required fields', (id) => {
    const { input } = callOf(id)
    const sample = sampleOf(input) as Record<string, unknown>
    expect(Object.keys(sample)).toEqual(expect.arrayContaining(input.required ?? []))
    expect(Object.values(sample)).not.toContain(undefined)
  })

  test('writes samples whose text a shell and TypeScript read back', () => {
    const call = callOf('keys/issueKey')
    const body = `{"requestKey":"it's"}`
    expect(curlOf(call, 'https://portal.test', body)).toContain(String.raw`-d '{"requestKey":"it'\''s"}'`)
    expect(typescriptOf(call, 'https://portal.test', body)).toContain(
      `fetch('https://portal.test/api/v2/keys/issueKey', {`,
    )
  })
})
