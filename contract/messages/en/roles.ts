import type { RoleTexts } from '../ko/roles.ts'

/** `ko/roles.ts` in English. */
export const roles: RoleTexts = {
  matrix: 'What each role may do',
  lead: 'What you tick holds at once for everybody who has the role. You can change only what you may do yourself.',
  loading: 'The roles are being loaded.',
  failed: 'The roles could not be loaded.',
  role: 'Role',
  manage: 'Manage',
  builtIn: 'Built in',
  users: (count) => `${count.toLocaleString()} ${count === 1 ? 'user' : 'users'}`,
  cell: (role, name) => `${role}: ${name}`,

  functions: {
    autho_user_manage: ['Manage users', 'Search, edit, approve, withdraw and extend users'],
    autho_user_insert: ['Register users', 'Register new users'],
    autho_admin_manage: ['Manage administrators', 'Edit administrators and grant the administrator role'],
    autho_role_manage: ['Manage roles', 'Add roles and change what they may do'],
    autho_notice_manage: ['Manage notices', 'Edit and delete the notices of others'],
    autho_key_search: ['Key history', 'Search the history of issued keys'],
    autho_partner_search: ['Manage partners', 'Search, register, edit and delete partner codes'],
    autho_service_manage: [
      'Manage services',
      'Register and revoke the services that check issued keys; see and end the tokens of all programs',
    ],
    autho_setting_manage: ['Manage settings', 'Change the settings of the portal and its affiliations'],
    autho_audit_search: ['Read the audit trail', 'Search who changed what, and who signed in'],
    autho_export_personal: ['Export personal data', 'Export files with whole phone numbers and e-mails'],
  },

  grantTitle: 'Allow a function',
  grantText: (role, name) =>
    `Allow ‘${name}’ to the role ‘${role}’?\nIt holds at once, for those who are logged in too.`,
  revokeTitle: 'Take a function away',
  revokeText: (role, name) =>
    `Take ‘${name}’ from the role ‘${role}’?\nIt holds at once, for those who are logged in too.`,

  add: 'Add a role',
  addTitle: 'Add a role',
  rename: 'Rename',
  renameTitle: 'Rename a role',
  renameOf: (role) => `Rename ${role}`,
  remove: 'Delete',
  removeTitle: 'Delete a role',
  removeOf: (role) => `Delete ${role}`,
  removeText: (role) => `Do you want to delete the role ‘${role}’?`,
  save: 'Save',
  saving: 'Saving.',
}
