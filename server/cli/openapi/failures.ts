import { type ErrorCode, ERRORS } from '../../../contract/errors.ts'
import { en } from '../../../contract/messages/en.ts'

/** A piece of the document. */
export type Json = Record<string, unknown>

/** Sorts in the order of the document, which does not depend on the language of the machine. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/**
 * Returns the refusals of a request by status, as references into `responses`.
 * @param responses components/responses of the document, to which the referenced ones are added; requests with the same codes share one
 */
export function failuresOf(errors: readonly ErrorCode[], responses: Json): Json {
  const codes = [...new Set(errors)].toSorted(byText)
  const statuses = [...new Set(codes.map((code) => ERRORS[code]))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => ERRORS[code] === status)
      const name = own.join('.')
      responses[name] = failure(own, status)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** Schema of every refusal. */
export const failureSchema: Json = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    msg: { type: 'string', description: 'For the person, in the language of the request.' },
    field: { type: 'string', description: 'The wire name of the field that an INPUT_INVALID is about.' },
  },
  required: ['code', 'msg'],
}

function failure(codes: readonly ErrorCode[], status: number): Json {
  return {
    description: codes.map((code) => `- \`${code}\`: ${en.errors[code]}`).join('\n'),
    ...((status === 429 || status === 503) && {
      headers: {
        'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
      },
    }),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure', properties: { code: { enum: codes } } },
      },
    },
  }
}
