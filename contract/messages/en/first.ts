import { account } from './account.ts'
import { failures } from './failures.ts'
import { forms } from './forms.ts'
import { frame } from './frame.ts'
import { fields, validation } from './validation.ts'

/** `ko/first.ts` in English. */
export const first = { account, failures, forms, frame, fields, validation, titles: account.titles }
