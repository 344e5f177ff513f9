/** A JSON Schema, as far as the document uses it. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  minimum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
}

/** Rate limit of a call: `points` calls of its class in `seconds`, per user. */
interface Limit {
  points: number
  seconds: number
}

/** A call as the document describes it; fields with `x-` are Maru's own. */
interface Operation {
  summary: string
  'x-scope': string
  'x-title-ko': string
  'x-limit': Limit
  requestBody: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { description: string; content: Record<string, { schema: Schema }> }>
}

/** The OpenAPI document of the plain calls (rules/wire#plain-calls). */
export interface ApiDocument {
  paths: Record<string, { post: Operation }>
}

/** A plain call, as the reference shows it. */
export interface ApiCall {
  /** Domain and name: 'users/listUsers'. */
  id: string
  /** Path of the URL at which a program makes the call: '/api/v2/users/listUsers'. */
  path: string
  titles: { ko: string; en: string }
  scope: string
  limit: Limit
  input: Schema
  output: Schema
  /** Error codes by HTTP status. */
  errors: [status: string, codes: string][]
}

/** A field of an input or output. */
export interface SchemaField {
  /** Its name after those of the objects around it; `[]` marks a list: 'users[].userId'. */
  path: string
  name: string
  type: string
  isRequired: boolean
}

/** Returns the calls of a document, sorted by ID. A call without an output has an empty schema. */
export function callsIn({ paths }: ApiDocument): ApiCall[] {
  return Object.entries(paths)
    .map(([path, { post }]) => ({
      id: path.split('/').slice(-2).join('/'),
      path,
      titles: { ko: post['x-title-ko'], en: post.summary },
      scope: post['x-scope'],
      limit: post['x-limit'],
      input: post.requestBody.content['application/json'].schema,
      output: post.responses['200']?.content['application/json']?.schema ?? {},
      errors: Object.entries(post.responses)
        .filter(([status]) => status !== '200')
        .map(([status, { description }]): [string, string] => [status, description]),
    }))
    .toSorted((a, b) => a.id.localeCompare(b.id))
}

/**
 * Returns the fields of a schema, each after the object that has it.
 * @param within path before the names, with its separator
 */
export function fieldsOf({ properties = {}, required = [] }: Schema, within = ''): SchemaField[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = within + name
    const list = schema.items
    const inner = list === undefined ? fieldsOf(schema, `${path}.`) : fieldsOf(list, `${path}[].`)
    return [{ path, name, type: typeOf(schema), isRequired: required.includes(name) }, ...inner]
  })
}

/** Returns the type of a field as text, with its maximum length or number of items. */
function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ')
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.items !== undefined) return `${typeOf(schema.items)}[]${limitOf(schema.maxItems)}`
  const type = [schema.type ?? 'any'].flat().join(' | ')
  return schema.format === undefined ? type + limitOf(schema.maxLength) : `${type} (${schema.format})`
}

/** Returns an upper limit as text; '' for none. */
const limitOf = (most?: number) => (most === undefined ? '' : ` ≤ ${most}`)

/** Returns a value that fits a schema, with the required fields of objects only, to be edited. */
export function sampleOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0] ?? {})
  const type = [schema.type].flat()[0]
  if (type === 'array') return []
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type !== 'object') return ''
  const { properties = {}, required = [] } = schema
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]))
}

/**
 * Returns a shell command that makes a call with curl.
 * @param body JSON of the input
 */
export function curlOf({ path }: ApiCall, origin: string, body: string): string {
  // A shell ends the quoted text at each apostrophe.
  const quoted = body.replaceAll("'", String.raw`'\''`)
  return `curl "${origin}${path}" \\
  -H "Authorization: Bearer $MARU_PROGRAM_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '${quoted}'`
}

/**
 * Returns TypeScript that makes a call and prints its response.
 * @param body JSON of the input
 */
export function typescriptOf({ path }: ApiCall, origin: string, body: string): string {
  return `const response = await fetch('${origin}${path}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.MARU_PROGRAM_TOKEN}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${body.replaceAll('\n', '\n  ')}),
})
const answer = await response.json()
if (!response.ok) throw new Error(\`\${answer.code}: \${answer.detail}\`)
console.log(answer)`
}
