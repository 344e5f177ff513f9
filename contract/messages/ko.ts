import { first } from './ko/first.ts'
import { portal } from './ko/portal.ts'
import { whole } from './whole.ts'

/** Every Korean text that a person reads: the default language, and the type of every other one. */
export const ko = whole(first, portal)

/** The catalogue; a language that lacks a key does not compile (rules/frame#catalogue). */
export type Messages = typeof ko

/** The part of it that every page has from its first load on. */
export type FirstMessages = typeof first

/** The part of it that the pages with the menu have besides. */
export type PortalMessages = typeof portal
