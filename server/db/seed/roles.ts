import { FUNCTIONS, GROUP_NAME, ROLE, type FunctionName } from '../../../contract/permissions.ts'

/** Roles of a new installation with their permissions (rules/roles#built-in-roles). */
export const roles: readonly {
  code: string
  groupName: string
  en: string
  functions: readonly FunctionName[]
}[] = [
  { code: ROLE.admin, groupName: GROUP_NAME.admin, en: 'Administrator', functions: FUNCTIONS },
  {
    code: ROLE.hr,
    groupName: GROUP_NAME.hr,
    en: 'HR administrator',
    functions: [
      'autho_user_search',
      'autho_user_manage',
      'autho_user_insert',
      'autho_notice_insert',
      'autho_notice_manage',
      'autho_key_own',
      'autho_key_search',
    ],
  },
  {
    code: ROLE.user,
    groupName: GROUP_NAME.user,
    en: 'Ordinary user',
    functions: ['autho_notice_insert', 'autho_key_own', 'autho_key_search'],
  },
]
