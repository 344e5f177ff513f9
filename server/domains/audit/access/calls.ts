import { PERSONAL_CALLS, type PersonalCall } from '../../../../contract/audit/access-calls.ts'
import { endpoints } from '../../../../contract/index.ts'
import { access as en } from '../../../../contract/messages/en/access.ts'
import { access as ko } from '../../../../contract/messages/ko/access.ts'

/** The texts of the access log in each language. */
export const accessTexts = { ko, en }

const isPersonal = (name: string): name is PersonalCall => PERSONAL_CALLS.some((call) => call === name)

const named = endpoints.flatMap(({ name, endpoint: { path } }) => (isPersonal(name) ? [{ name, path }] : []))
const nameByPath = new Map<string, PersonalCall>(named.map(({ name, path }) => [path, name]))
const pathByName = new Map<string, string>(named.map(({ name, path }) => [name, path]))

/** The path of a call that touches personal data; the log keeps it, which stays when a name changes. */
export const pathOf = (call: string): string => pathByName.get(call) ?? ''

/** The name of the call with this path; undefined of one that an earlier release had. */
export const callAt = (path: string): PersonalCall | undefined => nameByPath.get(path)
