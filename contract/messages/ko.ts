import { labelsOf } from '../settings/declared.ts'
import { SECURITY_SETTINGS } from '../settings/security.ts'
import { errors } from './ko/errors.ts'
import { exports } from './ko/exports.ts'
import { first } from './ko/login-bundle.ts'
import { imports } from './ko/imports.ts'
import { menu } from './ko/menu.ts'
import { portal } from './ko/portal.ts'
import { roles } from './ko/roles.ts'
import { success } from './ko/success.ts'
import { whole } from './merge-catalogue.ts'

/** The texts of the pages. */
const inPages = whole(first, portal)

/** All Korean texts that users read: the default language, whose type every other language must have. */
export const ko = {
  ...inPages,
  fields: { ...inPages.fields, ...labelsOf(SECURITY_SETTINGS, 'ko') },
  errors,
  exports,
  imports,
  menu,
  roles,
  success,
}

/** The type of a catalog; a language without one of its keys does not compile (rules/frame#catalogue). */
export type Messages = typeof ko

/** The texts that every page loads first. */
export type FirstMessages = typeof first

/** The texts that the pages except the login load in addition. */
export type PortalMessages = typeof portal

/** All texts of the pages except the login. Only the server uses the others. */
export type PageMessages = typeof inPages
