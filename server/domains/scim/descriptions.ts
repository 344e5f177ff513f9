import { refuse } from '../../../contract/errors.ts'
import type { Call } from '../../http/handler.ts'
import { URN } from './attributes.ts'
import { baseOf, listOf } from './users.ts'

type Describe = (call: Pick<Call, 'services'>, id: string) => Record<string, unknown>

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'
const TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'

/** Returns the description of an attribute (RFC 7643). */
const attribute = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  description: name,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})
const complex = (name: string, parts: string[], more: Record<string, unknown> = {}) =>
  attribute(name, {
    type: 'complex',
    subAttributes: parts.map((part) => attribute(part, part === 'primary' ? { type: 'boolean' } : {})),
    ...more,
  })

const SCHEMAS = [
  {
    id: URN.user,
    name: 'User',
    description: 'Account of Maru',
    attributes: [
      attribute('userName', { required: true, uniqueness: 'server' }),
      attribute('active', { type: 'boolean' }),
      ...['displayName', 'title', 'nickName', 'preferredLanguage', 'locale', 'timezone', 'userType'].map(
        (name) => attribute(name),
      ),
      complex('name', ['formatted', 'familyName', 'givenName', 'middleName']),
      complex('emails', ['value', 'type', 'primary'], { multiValued: true }),
      complex('phoneNumbers', ['value', 'type', 'primary'], { multiValued: true }),
      complex('groups', ['value', 'display', '$ref'], { multiValued: true, mutability: 'readOnly' }),
    ],
  },
  {
    id: URN.enterprise,
    name: 'EnterpriseUser',
    description: 'Enterprise user',
    attributes: ['employeeNumber', 'department', 'division', 'organization', 'costCenter'].map((name) =>
      attribute(name),
    ),
  },
  {
    id: URN.group,
    name: 'Group',
    description: 'Group of an identity provider',
    attributes: [
      attribute('displayName', { required: true, uniqueness: 'server' }),
      complex('members', ['value', 'display', '$ref', 'type'], { multiValued: true }),
    ],
  },
].map((schema) => ({ schemas: [SCHEMA], ...schema }))

const TYPES = [
  {
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'Account of Maru',
    schema: URN.user,
    schemaExtensions: [{ schema: URN.enterprise, required: false }],
  },
  {
    id: 'Group',
    name: 'Group',
    endpoint: '/Groups',
    description: 'Group',
    schema: URN.group,
    schemaExtensions: [],
  },
].map((type) => ({ schemas: [TYPE], ...type }))

const located = (call: Pick<Call, 'services'>, resourceType: string, path: string) => ({
  meta: { resourceType, location: `${baseOf(call)}${path}` },
})

const schemaIn = (call: Pick<Call, 'services'>, schema: (typeof SCHEMAS)[number]) => ({
  ...schema,
  ...located(call, 'Schema', `/Schemas/${schema.id}`),
})
const typeIn = (call: Pick<Call, 'services'>, type: (typeof TYPES)[number]) => ({
  ...type,
  ...located(call, 'ResourceType', `/ResourceTypes/${type.id}`),
})

/** Descriptions of what Maru supports, by URL. */
export const descriptions: Record<string, Describe> = {
  '/ServiceProviderConfig': (call) => ({
    schemas: [CONFIG],
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
        description: 'A token of an identity provider, made on the page of single sign-on',
        primary: true,
      },
    ],
    ...located(call, 'ServiceProviderConfig', '/ServiceProviderConfig'),
  }),
  '/Schemas': (call) =>
    listOf(
      SCHEMAS.map((schema) => schemaIn(call, schema)),
      1,
      SCHEMAS.length,
    ),
  '/Schemas/:id': (call, id) =>
    schemaIn(call, SCHEMAS.find((schema) => schema.id === id) ?? refuse('PATH_NOT_FOUND')),
  '/ResourceTypes': (call) =>
    listOf(
      TYPES.map((type) => typeIn(call, type)),
      1,
      TYPES.length,
    ),
  '/ResourceTypes/:id': (call, id) =>
    typeIn(call, TYPES.find((type) => type.id === id) ?? refuse('PATH_NOT_FOUND')),
}
