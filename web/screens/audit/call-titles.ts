import { endpoints } from '../../../contract/index.ts'

/**
 * The calls that the access log records, by name and title, for the filter of actions. Calls without a title are left
 * out. The build replaces this list by its value: see vite.config.ts.
 */
export const callTitles = endpoints.flatMap(({ name, endpoint: { title } }) =>
  title === undefined ? [] : [{ name, title }],
)
