import * as z from 'zod/mini'
import type { AuditAction } from './audit-actions.ts'
import { SCIM_BASE } from './envelope.ts'
import { type CallTitle, endpoint, type Personal } from './endpoint.ts'

/**
 * Schema of a request: the URL of SCIM, the ID in the request's URL, its query ('' for a missing parameter), and its
 * body, which the handler reads.
 */
const input = z.object({
  base: z.string(),
  id: z.string(),
  filter: z.string(),
  startIndex: z.string(),
  count: z.string(),
  attributes: z.string(),
  excludedAttributes: z.string(),
  body: z.optional(z.unknown()),
})

/** Schema of a response: its status, and its resource, which some responses lack. */
const output = z.object({ status: z.number(), resource: z.optional(z.record(z.string(), z.unknown())) })

/**
 * Declares a request of a provider; its path names it in the access log. All count as calls of programs, and write an
 * audit row only for a change.
 */
// @__NO_SIDE_EFFECTS__
const request = (path: string, title: CallTitle, personal: Personal, audit: AuditAction | 'none' = 'none') =>
  endpoint({
    path: `${SCIM_BASE}/${path}`,
    summary: title.en,
    title,
    access: 'provider',
    input,
    output,
    audit,
    auditsChangeOnly: true,
    personal,
    perPerson: 'program',
  })

/** The requests of identity providers by SCIM 2.0 (rules/scim#requests). They are no calls of the API. */
export const scimRequests = {
  listUsers: request('GET/Users', { ko: 'SCIM 사용자 검색', en: 'Searched users by SCIM' }, [
    'search',
    'told',
  ]),
  getUser: request('GET/User', { ko: 'SCIM 사용자 조회', en: 'Read a user by SCIM' }, ['read', 'told']),
  createUser: request(
    'POST/Users',
    { ko: 'SCIM 사용자 등록', en: 'Registered a user by SCIM' },
    ['change', 'told'],
    'user.register',
  ),
  changeUser: request(
    'PATCH/User',
    { ko: 'SCIM 사용자 수정', en: 'Edited a user by SCIM' },
    ['change', 'told'],
    'user.update',
  ),
  withdrawUser: request(
    'DELETE/User',
    { ko: 'SCIM 사용자 탈퇴', en: 'Withdrew a user by SCIM' },
    ['change', 'told'],
    'user.withdraw',
  ),
  listGroups: request('GET/Groups', { ko: 'SCIM 그룹 검색', en: 'Searched groups by SCIM' }, [
    'search',
    'told',
  ]),
  getGroup: request('GET/Group', { ko: 'SCIM 그룹 조회', en: 'Read a group by SCIM' }, ['read', 'told']),
  changeGroup: request(
    'PATCH/Group',
    { ko: 'SCIM 그룹 변경', en: 'Changed a group by SCIM' },
    ['change', 'told'],
    'scim.group',
  ),
  describe: request('GET/Config', { ko: 'SCIM 설정 조회', en: 'Read the SCIM configuration' }, 'none'),
}
