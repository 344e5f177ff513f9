import { account } from './en/account.ts'
import { approvals } from './en/approvals.ts'
import { errors } from './en/errors.ts'
import { files } from './en/files.ts'
import { forms } from './en/forms.ts'
import { frame } from './en/frame.ts'
import { home } from './en/home.ts'
import { keys } from './en/keys.ts'
import { lists } from './en/lists.ts'
import { roles } from './en/roles.ts'
import { notices } from './en/notices.ts'
import { partners } from './en/partners.ts'
import { success } from './en/success.ts'
import { users } from './en/users.ts'
import { fields, validation } from './en/validation.ts'
import type { Messages } from './ko.ts'

/** Every English text that a person reads. */
export const en: Messages = {
  errors,
  success,
  lists,
  forms,
  validation,
  fields,
  frame,
  account,
  files,
  home,
  roles,
  users,
  approvals,
  notices,
  keys,
  partners,
}
