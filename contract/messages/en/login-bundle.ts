import { failures } from './failures.ts'
import { frame } from './frame.ts'
import { login } from './login.ts'
import { textValidation } from './text-validation.ts'

/** `ko/login-bundle.ts` in English. */
export const first = { account: login, failures, frame, validation: textValidation, titles: login.titles }
