import type { RoleTexts } from '../ko/roles.ts'

/** `ko/roles.ts` in English. */
export const roles: RoleTexts = {
  matrix: 'Permissions of each role',
  lead: 'Changes apply immediately to all users with the role. You can change only permissions that you have yourself.',
  loading: 'Loading the roles.',
  failed: 'The roles could not be loaded.',
  role: 'Role',
  manage: 'Manage',
  builtIn: 'Built in',
  users: (count) => `${count.toLocaleString()} ${count === 1 ? 'user' : 'users'}`,
  cell: (role, name) => `${role}: ${name}`,

  functions: {
    autho_user_search: ['View users', 'Search and view users'],
    autho_user_manage: ['Manage users', 'Search, edit, approve, withdraw and extend users'],
    autho_user_insert: ['Register users', 'Register new users'],
    autho_admin_manage: ['Manage administrators', 'Edit administrators and grant the administrator role'],
    autho_role_manage: ['Manage roles', 'Add roles and change their permissions'],
    autho_notice_insert: ['Publish notices', 'Publish notices; edit and delete own notices'],
    autho_notice_manage: ['Manage notices', 'Edit and delete the notices of others'],
    autho_key_own: ['Own keys', 'Search the history of the keys issued to oneself'],
    autho_key_search: ['All keys', 'Search the history of the keys of all users'],
    autho_partner_search: ['Manage partners', 'Search, register, edit and delete partner codes'],
    autho_service_manage: [
      'Manage services',
      'Create and revoke service tokens that verify keys; view and end all program tokens',
    ],
    autho_setting_manage: ['Manage settings', 'Change the settings of the portal and its affiliations'],
    autho_audit_search: ['Read the audit log', 'Search the audit log and the access log'],
    autho_audit_manage: ['Manage inspections', 'Inspect the access log, change the rules, sign off'],
    autho_export_personal: [
      'Export personal data',
      'Export files with unmasked phone numbers and e-mail addresses',
    ],
  },

  grantTitle: 'Grant a permission',
  grantText: (role, name) =>
    `Grant ‘${name}’ to the role ‘${role}’?\nThis applies immediately, also to logged-in users.`,
  revokeTitle: 'Revoke a permission',
  revokeText: (role, name) =>
    `Revoke ‘${name}’ from the role ‘${role}’?\nThis applies immediately, also to logged-in users.`,

  spans: { all: 'Whole company', branch: 'Own branch' },
  span: 'Scope',
  spanHelp:
    '‘Own branch’ covers users, partners, keys and notices of the user’s affiliation and the affiliations below it. It cannot be changed later.',
  template: 'Template',
  noTemplate: 'No permissions',
  templates: {
    branch: 'Branch manager',
    security: 'Security officer',
    auditor: 'Auditor',
  },

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
}
