import { errors } from './en/errors.ts'
import { success } from './en/success.ts'
import { fields, validation } from './en/validation.ts'
import type { Messages } from './ko.ts'

/** Every English text that the server says. */
export const en: Messages = { errors, success, validation, fields }
