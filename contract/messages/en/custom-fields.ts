import type { customFields as ko } from '../ko/custom-fields.ts'

export const customFields: typeof ko = {
  title: 'Further fields of users',
  lead: 'Add up to ten fields that every user has. They appear in the user form, on the own page, in the user list, in imports and in exports. If you remove a field, saving also deletes its values of all users.',
  add: 'Add a field',
  full: 'Save the removal before you add another field.',
  fieldOf: (position, name) => (name === '' ? `Field ${position}` : name),
  up: (name) => `Move ${name} up`,
  down: (name) => `Move ${name} down`,
  remove: (name) => `Remove ${name}`,
  name: 'Name',
  kind: 'Kind',
  kinds: { text: 'Text', choice: 'Choice', date: 'Date' },
  choices: 'Choices (one a line)',
  seenBy: 'Seen by',
  seenByWords: {
    managers: 'Those who manage users',
    person: 'The user too',
    colleagues: 'All colleagues (directory)',
  },
  editedBy: 'Changed by',
  editedByWords: { managers: 'Those who manage users', person: 'The user too' },
}
