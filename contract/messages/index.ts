import { en } from './en.ts'
import { ko } from './ko.ts'

/** The catalogue of each language, for the one that speaks them all: the server. The page loads one of them. */
export const catalogues = { ko, en }
