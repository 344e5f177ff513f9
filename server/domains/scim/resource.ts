import { type Attributes, emailOf, nameOf, noAttributes, phoneOf, positionOf, URN } from './attributes.ts'
import type { ManagedUser } from './queries.ts'

/**
 * Returns the attributes of an account: those that the provider sent, with the values of Maru where they were changed since. So the
 * provider sees the difference and can correct it.
 */
export function attributesOf(user: ManagedUser): Attributes {
  const { texts = [], emails = [], phoneNumbers = [] } = user.stored
  const { userName, externalId, isActive: active } = user
  const kept: Attributes = {
    ...noAttributes(),
    userName,
    externalId,
    active,
    texts: new Map(texts),
    emails,
    phoneNumbers,
  }
  if (nameOf(kept) !== user.name) {
    for (const path of ['name.familyName', 'name.givenName', 'name.formatted']) kept.texts.delete(path)
    kept.texts.set('displayName', user.name)
  }
  if (positionOf(kept) !== user.position) {
    if (user.position === '') kept.texts.delete('title')
    else kept.texts.set('title', user.position)
  }
  if (emailOf(kept) !== user.email) kept.emails = [{ value: user.email, type: 'work', primary: true }]
  if (phoneOf(kept) !== user.phoneNumber && user.phoneNumber !== '')
    kept.phoneNumbers = [{ value: user.phoneNumber, type: 'mobile' }]
  return kept
}

/** Returns a user as a resource of SCIM. @param base URL of the portal's SCIM */
export function userResource(user: ManagedUser, base: string): Record<string, unknown> {
  const { texts, emails, phoneNumbers, ...attributes } = attributesOf(user)
  const parts = (prefix: string) =>
    Object.fromEntries(
      [...texts].flatMap(([path, text]) =>
        path.startsWith(`${prefix}.`) ? [[path.slice(prefix.length + 1), text]] : [],
      ),
    )
  const [name, enterprise] = [parts('name'), parts(URN.enterprise)]
  const isEnterprise = Object.keys(enterprise).length > 0
  return {
    schemas: [URN.user, ...(isEnterprise ? [URN.enterprise] : [])],
    id: user.id,
    ...(attributes.externalId !== null && { externalId: attributes.externalId }),
    userName: attributes.userName,
    active: attributes.active,
    ...Object.fromEntries([...texts].filter(([path]) => !path.includes('.'))),
    ...(Object.keys(name).length > 0 && { name }),
    emails,
    ...(phoneNumbers.length > 0 && { phoneNumbers }),
    ...(isEnterprise && { [URN.enterprise]: enterprise }),
    groups: user.groups.map((group) => ({ ...group, $ref: `${base}/Groups/${group.value}` })),
    meta: metaOf('User', user, `${base}/Users/${user.id}`),
  }
}

/** Returns the metadata of a resource. */
export const metaOf = (resourceType: string, of: { createdAt: Date; updatedAt: Date }, location: string) => ({
  resourceType,
  created: of.createdAt.toISOString(),
  lastModified: of.updatedAt.toISOString(),
  location,
})

/** Names of attributes in a query parameter, in lower case without URN and parts. */
const namesIn = (text: string) =>
  new Set(
    text
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .flatMap((name) =>
        name.startsWith('urn:')
          ? [name.replace(/:[^:.]*$/, ''), name, name.replace(/^.*:/, '')]
          : [name.replace(/\..*/, '')],
      )
      .filter((name) => name !== ''),
  )

/** Attributes of a resource that a client asks for: the query parameters `attributes` and `excludedAttributes`. */
export interface Projection {
  attributes: string
  excludedAttributes: string
}

/** Returns the attributes of a resource that a client asked for. `id` and `schemas` are always among them. */
export function project(resource: Record<string, unknown>, { attributes, excludedAttributes }: Projection) {
  const [only, without] = [namesIn(attributes), namesIn(excludedAttributes)]
  if (only.size === 0 && without.size === 0) return resource
  return Object.fromEntries(
    Object.entries(resource).filter(([key]) => {
      const name = key.toLowerCase()
      if (name === 'id' || name === 'schemas') return true
      return only.size > 0 ? only.has(name) : !without.has(name)
    }),
  )
}
