import { errors } from './en/errors.ts'
import { first } from './en/first.ts'
import { imports } from './en/imports.ts'
import { menu } from './en/menu.ts'
import { portal } from './en/portal.ts'
import { roles } from './en/roles.ts'
import { success } from './en/success.ts'
import type { Messages } from './ko.ts'
import { whole } from './whole.ts'

/** All English texts that users read. */
export const en: Messages = { ...whole(first, portal), errors, imports, menu, roles, success }
