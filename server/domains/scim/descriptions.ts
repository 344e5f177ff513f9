import { refuse } from '../../../contract/errors.ts'
import { URN } from './paths.ts'
import { listOf } from './users.ts'

/** Description of a schema or resource type. */
type Description = Record<string, unknown> & { id: string }

/** URN of the SCIM schemas of descriptions. */
const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

/** Returns the description of an attribute of a schema (RFC 7643): an optional text, unless `more` states otherwise. */
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
/** Returns the descriptions of optional texts, from their names. */
const attributes = (names: string) => names.split(' ').map((name) => attribute(name))
/** Returns the description of a complex attribute with these texts as sub-attributes. */
const complex = (name: string, parts: string, more: Record<string, unknown> = {}) =>
  attribute(name, { type: 'complex', subAttributes: attributes(parts), ...more })
/** Returns the description of a list of complex values. */
const list = (name: string, parts: string, more: Record<string, unknown> = {}) =>
  complex(name, parts, { multiValued: true, ...more })
/** Returns the description of a required text that is unique on the server. */
const unique = (name: string) => attribute(name, { required: true, uniqueness: 'server' })
/** Returns the description of a schema. */
const schema = (id: string, name: string, described: unknown[]): Description => ({
  schemas: [`${CORE}:Schema`],
  id,
  name,
  description: name,
  attributes: described,
})

/** Descriptions of the schemas of users, of their enterprise extension and of groups. */
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

/** Returns the description of a resource type. */
const type = (id: string, urn: string, extensions: string[]): Description => ({
  schemas: [`${CORE}:ResourceType`],
  id,
  name: id,
  endpoint: `/${id}s`,
  description: id,
  schema: urn,
  schemaExtensions: extensions.map((extension) => ({ schema: extension, required: false })),
})

/** Descriptions of the resource types: users and groups. */
const TYPES = [type('User', URN.user, [URN.enterprise]), type('Group', URN.group, [])]

/** Returns the metadata of a description. */
const withMeta = (base: string, resourceType: string, path: string) => ({
  meta: { resourceType, location: base + path },
})

/**
 * Returns the responses for a list of descriptions, and for a description by its ID, by URL. The latter refuses an unknown ID
 * with PATH_NOT_FOUND.
 */
function listResponses(resourceType: string, all: readonly Description[]) {
  const path = `/${resourceType}s`
  const shown = (base: string, one: Description) => ({
    ...one,
    ...withMeta(base, resourceType, `${path}/${one.id}`),
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

/** Responses that describe what Maru supports, by URL, for `mountScim`. */
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
    ...withMeta(base, 'ServiceProviderConfig', '/ServiceProviderConfig'),
  }),
  ...listResponses('Schema', SCHEMAS),
  ...listResponses('ResourceType', TYPES),
}
