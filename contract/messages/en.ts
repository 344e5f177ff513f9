import { first } from './en/first.ts'
import { portal } from './en/portal.ts'
import type { Messages } from './ko.ts'
import { whole } from './whole.ts'

/** Every English text that a person reads. */
export const en: Messages = whole(first, portal)
