import { labelsOf } from '../settings/declared.ts'
import { SECURITY_SETTINGS } from '../settings/security.ts'
import { errors } from './en/errors.ts'
import { exports } from './en/exports.ts'
import { first } from './en/login-bundle.ts'
import { imports } from './en/imports.ts'
import { menu } from './en/menu.ts'
import { portal } from './en/portal.ts'
import { roles } from './en/roles.ts'
import { success } from './en/success.ts'
import type { Messages } from './ko.ts'
import { whole } from './merge-catalogue.ts'

/** All English texts that users read. */
export const en: Messages = {
  ...whole(first, portal),
  fields: { ...portal.fields, ...labelsOf(SECURITY_SETTINGS, 'en') },
  errors,
  exports,
  imports,
  menu,
  roles,
  success,
}
