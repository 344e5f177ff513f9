import { errors } from './ko/errors.ts'
import { first } from './ko/first.ts'
import { imports } from './ko/imports.ts'
import { menu } from './ko/menu.ts'
import { portal } from './ko/portal.ts'
import { roles } from './ko/roles.ts'
import { success } from './ko/success.ts'
import { whole } from './whole.ts'

const inPages = whole(first, portal)

/** Every Korean text that a person reads: the default language, and the type of every other one. */
export const ko = { ...inPages, errors, imports, menu, roles, success }

/** The catalogue; a language that lacks a key does not compile (rules/frame#catalogue). */
export type Messages = typeof ko

/** The part of it that every page has from its first load on. */
export type FirstMessages = typeof first

/** The part of it that the pages with the menu have besides. */
export type PortalMessages = typeof portal

/** Both: what the pages with the menu say. The rest only the server says. */
export type PageMessages = typeof inPages
