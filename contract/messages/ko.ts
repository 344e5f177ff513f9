import { account } from './ko/account.ts'
import { approvals } from './ko/approvals.ts'
import { errors } from './ko/errors.ts'
import { files } from './ko/files.ts'
import { forms } from './ko/forms.ts'
import { frame } from './ko/frame.ts'
import { home } from './ko/home.ts'
import { keys } from './ko/keys.ts'
import { lists } from './ko/lists.ts'
import { roles } from './ko/roles.ts'
import { notices } from './ko/notices.ts'
import { partners } from './ko/partners.ts'
import { success } from './ko/success.ts'
import { users } from './ko/users.ts'
import { fields, validation } from './ko/validation.ts'

/** Every Korean text that a person reads: the default language, and the type of every other one. */
export const ko = {
  errors,
  success,
  lists,
  forms,
  validation,
  fields,
  frame,
  account,
  approvals,
  files,
  home,
  roles,
  users,
  notices,
  keys,
  partners,
}

/** The catalogue; a language that lacks a key does not compile (decisions §1). */
export type Messages = typeof ko
