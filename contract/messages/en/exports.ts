import type { Messages } from '../ko.ts'

/** `ko/exports.ts` in English. */
export const exports: Messages['exports'] = {
  format: 'File format',
  formats: { xlsx: 'Excel (XLSX)', csv: 'CSV' },
  columns: 'Columns',
  shownColumns: 'Shown columns only',
  allColumns: 'All columns',
  reason: 'Reason',
  password: 'Re-enter your password',
  start: 'Export',
  stop: 'Stop',
  progress: (size) => `Exporting… ${size}`,
  lists: {
    users: {
      title: 'Export users',
      lead: (count) =>
        `Exports the users that were found (${count}) to a file. The export and its reason are recorded.`,
      reasonHint: 'e.g. account review of the 2nd quarter',
      fileName: 'users',
      personal: {
        unmask: 'Export phone numbers and e-mail addresses unmasked',
        masked: 'Parts of phone numbers and e-mail addresses are masked.',
      },
    },
    partners: {
      title: 'Export partner codes',
      lead: (count) =>
        `Exports the partner codes that were found (${count}) to a file. The export and its reason are recorded.`,
      reasonHint: 'e.g. review of the limits for the 2nd half',
      fileName: 'partner_codes',
      personal: null,
    },
    keys: {
      title: 'Export the key issuance history',
      lead: (count) =>
        `Exports the issued keys that were found (${count}) to a file. The export and its reason are recorded.`,
      reasonHint: 'e.g. keys issued in July',
      fileName: 'key_history',
      personal: {
        unmask: 'Export phone numbers unmasked',
        masked: 'Parts of phone numbers are masked. Issued keys are always masked.',
      },
    },
    audit: {
      title: 'Export the audit log',
      lead: (count) =>
        `Exports the rows that were found (${count}) to a file. The export and its reason are recorded.`,
      reasonHint: 'e.g. security review of the 3rd quarter',
      fileName: 'audit_log',
      personal: {
        unmask: 'Export phone numbers and e-mail addresses unmasked',
        masked: 'Parts of phone numbers and e-mail addresses are masked.',
      },
    },
    access: {
      title: 'Export the access log',
      lead: (count) =>
        `Exports the rows that were found (${count}) to a file. The export and its reason are recorded.`,
      reasonHint: 'e.g. monthly inspection',
      fileName: 'access_log',
      personal: null,
    },
    leakPeople: {
      title: 'Export the people of a leak',
      lead: (count) => `Exports ${count} people to a file. The export and its reason are recorded.`,
      reasonHint: 'e.g. notice of a leak',
      fileName: 'leak_people',
      personal: {
        unmask: 'Export phone numbers and emails unmasked',
        masked: 'Phone numbers and emails are partly masked.',
      },
    },
  },
}
