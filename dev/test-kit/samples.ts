import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import { perSlot } from '../../contract/custom-fields.ts'
import { ROLE } from '../../contract/permissions.ts'
import { NO_TEAM } from '../../contract/teams.ts'
import { SECURITY_SETTINGS } from '../../contract/settings/security.ts'
import { defaultsOf } from '../../contract/settings/declared.ts'
import { definitionOf } from '../../contract/wire.ts'
import { PASSWORD } from './people.ts'

/** Values that the samples of `sampleOf` use. A test whose samples must be accepted creates these records first. */
export const SAMPLE = {
  userId: 'sample.user',
  email: 'sample.user@example.com',
  partner: 'SAMPLE-1',
  role: 'AUT900',
}

/** Value of a field for which an arbitrary value of its schema is not enough: an existing record, or a future day. */
const KNOWN: Record<string, unknown> = {
  loginId: SAMPLE.userId,
  userId: SAMPLE.userId,
  originalUserId: SAMPLE.userId,
  email: SAMPLE.email,
  partnerCode: SAMPLE.partner,
  roleCode: ROLE.user,
  affiliationCode: 'BEL001',
  provinceName: '서울특별시',
  districtName: '종로구',
  provinceCode: '11',
  validFrom: '2026-01-01',
  password: PASSWORD,
  currentPassword: PASSWORD,
  managerPassword: PASSWORD,
  newPassword: 'another-Maru-2026!',
  functionName: 'autho_partner_search',
  // A text that can be searched, which a workbook is not.
  format: 'csv',
  accessId: '202611-1',
  month: '2026-10',
  knownAt: '2026-10-01 09:00',
  incidentRecord: 'CLOSED',
  happenedAt: '2026-10-01 09:00',
  searchedFrom: '2026-10-01 00:00',
  searchedTo: '2026-10-31 00:00',
  law: 'malware',
  quarter: '2026-Q4',
  mailText: '{code}',
  url: 'https://events.example.com/',
  issuer: 'https://login.example.com',
  binding: 'b'.repeat(43),
  emailDomains: ['example.com'],
  hoursFrom: 9,
  kinds: [{ kind: 'trail', keptFor: 60 }],
  hoursTo: 18,
  picture: 'abcdefghi1',
  // True needs another permission too.
  keysRevoked: false,
  // Without a team.
  teamId: '',
  parentId: '',
  otherTeamIds: [],
  // The text contains no name.
  mentionIds: [],
  // No field is defined, and a number belongs to one user.
  employeeNumber: '',
  ...perSlot(''),
  customFields: [],
  // A list would refuse the positions of other samples.
  positions: [],
  external: false,
  // These values keep the tests able to log in.
  factorRoles: [],
  trustRoles: [],
  adminNetworks: [],
  ...defaultsOf(SECURITY_SETTINGS),
}

/** Login ID and email address that no user has. */
const FREE = { userId: 'a.free.id', email: 'new@example.com' }

/** Values as in KNOWN for some calls, by the start of their path. */
const KNOWN_BY_PATH: readonly [start: string, values: Record<string, unknown>][] = [
  ['/stm/v1/check/id', FREE],
  ['/stm/v1/check/email', FREE],
  ['/stm/v1/email/certify', FREE],
  ['/stm/v1/ins/', { ...FREE, password: KNOWN['newPassword'] }],
  ['/stm/v1/user', { userId: SAMPLE.userId }],
  // Masked, which every user with exports may choose.
  // Before the day to which it is extended.
  ['/stm/v1/ext/', { validTo: '2087-01-01' }],
  ['/stm/v1/exp/', { password: '' }],
  ['/kmn/v1/exp/', { password: '' }],
  ['/org/v1/', { teamId: '1' }],
  ['/stm/v1/upd/teams', { teamId: NO_TEAM }],
  ['/stm/v1/chk/bulk', { teamId: NO_TEAM }],
  ['/adt/v1/', { password: '', recordKind: 'user', recordId: SAMPLE.userId, action: '' }],
  // None is published.
  ['/stm/v1/signup', { password: KNOWN['newPassword'], privacyVersion: undefined }],
  ['/rol/v1/', { roleCode: SAMPLE.role }],
  // Values that any author may set.
  ['/bmt/v1/', { mustRead: false, pinnedUntil: '', audienceAffiliations: [], audienceRoles: [] }],
  // Saved without a file.
  ['/bmt/v1/ins/noticeInfo', { uploadId: '' }],
  ['/bmt/v1/upd/noticeInfo', { uploadId: '' }],
  // A notice's file: a picture waits for the text that names it, and asks for no notice.
  ['/bmt/v1/ins/uploadInfo', { picture: undefined }],
  ['/aff/v1/ins/', { partnerCode: 'SAMPLE-2' }],
  // A scope that every manager of programs may give.
  ['/kmn/v1/ins/ProgramAccount', { scopes: ['colleagues:read'] }],
  ['/pid/v1/chk/', { partnerCode: 'SAMPLE-2' }],
  ['/pid/v1/ins/', { partnerCode: 'SAMPLE-2' }],
]

/** Candidates for every other field; the first that the schema accepts is used. */
const USUAL: readonly unknown[] = [
  '점검 안내',
  'SAMPLE',
  '1',
  '123456',
  '01012345678',
  '2099-12-31',
  '2099-12-31 09:00',
  'A'.repeat(22),
  1,
  true,
]

/**
 * Returns the names of all fields of an input, nested ones too. A name may occur several times. Empty for a value that
 * is no object or list.
 */
export function fieldsOf(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return []
  if (Array.isArray(input)) return input.flatMap(fieldsOf)
  return Object.entries(input).flatMap(([name, inner]) => [name, ...fieldsOf(inner)])
}

/**
 * Returns a valid input of a call with all its fields, derived from its schema, so that a new call needs no sample. Tests replace
 * fields of it with wrong values.
 * @throws {Error} if no known value fits a field
 */
export function sampleOf({ endpoint: { path, input } }: { endpoint: Endpoint }): Record<string, unknown> {
  const known = Object.assign(
    {},
    ...KNOWN_BY_PATH.filter(([start]) => path.startsWith(start)).map(([, values]) => values),
  ) as Record<string, unknown>
  const valueOf = (schema: z.ZodMiniType, name?: string): unknown => {
    const { type, shape, element, innerType, ...def } = definitionOf(schema)
    if (name !== undefined && name in known) return known[name]
    if (shape)
      return Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, valueOf(field, key)]))
    if (type === 'default') return def['defaultValue']
    // A filter that may be left out.
    if (type === 'pipe' && schema.safeParse('').success) return ''
    if (name !== undefined && name in KNOWN) return KNOWN[name]
    if (element) return [valueOf(element)]
    if (innerType) return valueOf(innerType)
    const values = (def['values'] ?? Object.values(def['entries'] ?? {})) as unknown[]
    return [...values, ...USUAL].find((value) => schema.safeParse(value).success)
  }
  const sample = valueOf(input) as Record<string, unknown>
  input.parse(sample)
  return sample
}
