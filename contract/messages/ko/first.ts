import { failures } from './failures.ts'
import { frame } from './frame.ts'
import { login } from './login.ts'
import { textValidation } from './text-validation.ts'

/** The Korean texts that the login page needs, as every page does: they come with its first load. What else a noun says is in `portal.ts`. */
export const first = { account: login, failures, frame, validation: textValidation, titles: login.titles }
