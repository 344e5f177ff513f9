import type { CallTitle, Endpoint } from '../../../../contract/endpoint.ts'
import { endpoints } from '../../../../contract/index.ts'
import { scimRequests } from '../../../../contract/scim-requests.ts'
import { access as en } from '../../../../contract/messages/en/access.ts'
import { access as ko } from '../../../../contract/messages/ko/access.ts'

/** The texts of the access log in each language. */
export const accessTexts = { ko, en }

/** Titles of all calls that have one, also those of SCIM, by path. */
const titleByPath = new Map<string, CallTitle>(
  [...endpoints.map(({ endpoint }) => endpoint), ...Object.values(scimRequests)].flatMap(
    ({ path, title }: Pick<Endpoint, 'path' | 'title'>) => (title === undefined ? [] : [[path, title]]),
  ),
)
/** Paths of the calls by their names. */
const pathByName = new Map<string, string>(endpoints.map(({ name, endpoint: { path } }) => [name, path]))

/**
 * Returns the path of a call. The log stores paths, because names of calls change.
 * @returns '' for a name that no call has
 */
export const pathOf = (call: string): string => pathByName.get(call) ?? ''

/** Returns the title in each language of the call with this path; undefined for a call that only an earlier release had. */
export const titleAt = (path: string): CallTitle | undefined => titleByPath.get(path)
