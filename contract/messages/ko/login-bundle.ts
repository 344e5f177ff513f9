import { failures } from './failures.ts'
import { frame } from './frame.ts'
import { login } from './login.ts'
import { textValidation } from './text-validation.ts'

/**
 * The Korean texts that the login page and every other page need: they load first. The other texts of each noun are in `portal.ts`.
 */
export const first = { account: login, failures, frame, validation: textValidation, titles: login.titles }
