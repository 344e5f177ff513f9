import { errors } from './ko/errors.ts'
import { success } from './ko/success.ts'
import { fields, validation } from './ko/validation.ts'

/** Every Korean text that the server says: the default language, and the type of every other one. */
export const ko = { errors, success, validation, fields }

/** The server's half of the catalogue; a language that lacks a key does not compile (decisions §1). */
export type Messages = typeof ko
