import { account } from './account.ts'
import { failures } from './failures.ts'
import { forms } from './forms.ts'
import { frame } from './frame.ts'
import { fields, validation } from './validation.ts'

/** The Korean texts that every page needs, the login page too: they come with its first load. */
export const first = { account, failures, forms, frame, fields, validation, titles: account.titles }
