import { refuse } from '../../../contract/errors.ts'
import { URN } from './paths.ts'
import { listOf } from './users.ts'

type Description = Record<string, unknown> & { id: string }

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

/** Returns the description of an attribute (RFC 7643). */
const attribute = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  type: { active: 'boolean', primary: 'boolean', $ref: 'reference' }[name] ?? 'string',
  ...(name === '$ref' && { referenceTypes: ['User', 'Group'] }),
  multiValued: false,
  description: name,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})
const attributes = (names: string) => names.split(' ').map((name) => attribute(name))
const complex = (name: string, parts: string, more: Record<string, unknown> = {}) =>
  attribute(name, { type: 'complex', subAttributes: attributes(parts), ...more })
const list = (name: string, parts: string, more: Record<string, unknown> = {}) =>
  complex(name, parts, { multiValued: true, ...more })
const unique = (name: string) => attribute(name, { required: true, uniqueness: 'server' })
const schema = (id: string, name: string, described: unknown[]): Description => ({
  schemas: [`${CORE}:Schema`],
  id,
  name,
  description: name,
  attributes: described,
})

const SCHEMAS = [
  schema(URN.user, 'User', [
    unique('userName'),
    ...attributes('active displayName title nickName preferredLanguage locale timezone userType'),
    complex('name', 'formatted familyName givenName middleName'),
    list('emails', 'value type primary'),
    list('phoneNumbers', 'value type primary'),
    list('groups', 'value display $ref', { mutability: 'readOnly' }),
  ]),
  schema(
    URN.enterprise,
    'EnterpriseUser',
    attributes('employeeNumber department division organization costCenter'),
  ),
  schema(URN.group, 'Group', [unique('displayName'), list('members', 'value display $ref type')]),
]

const type = (id: string, urn: string, extensions: string[]): Description => ({
  schemas: [`${CORE}:ResourceType`],
  id,
  name: id,
  endpoint: `/${id}s`,
  description: id,
  schema: urn,
  schemaExtensions: extensions.map((extension) => ({ schema: extension, required: false })),
})

const TYPES = [type('User', URN.user, [URN.enterprise]), type('Group', URN.group, [])]

const located = (base: string, resourceType: string, path: string) => ({
  meta: { resourceType, location: base + path },
})

/** Returns the responses for a list of descriptions, and for one of them, by URL. */
function listed(resourceType: string, all: readonly Description[]) {
  const path = `/${resourceType}s`
  const shown = (base: string, one: Description) => ({
    ...one,
    ...located(base, resourceType, `${path}/${one.id}`),
  })
  return {
    [path]: (base: string) =>
      listOf(
        all.map((one) => shown(base, one)),
        1,
        all.length,
      ),
    [`${path}/:id`]: (base: string, id: string) =>
      shown(base, all.find((one) => one.id === id) ?? refuse('PATH_NOT_FOUND')),
  }
}

/** Responses that describe what Maru supports, by URL. */
export const descriptions: Record<string, (base: string, id: string) => Record<string, unknown>> = {
  '/ServiceProviderConfig': (base) => ({
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token of an identity provider',
        primary: true,
      },
    ],
    ...located(base, 'ServiceProviderConfig', '/ServiceProviderConfig'),
  }),
  ...listed('Schema', SCHEMAS),
  ...listed('ResourceType', TYPES),
}
