import { en } from './en.ts'
import { ko } from './ko.ts'

/** The catalog of each language, for the server, which uses all of them. The page loads one. */
export const catalogues = { ko, en }
