import type { PrivacyTexts } from '../ko/privacy.ts'

/** `ko/privacy.ts` in English. */
export const privacy: PrivacyTexts = {
  reading: 'Loading the privacy notice.',
  unread: 'The privacy notice could not be loaded.',
  versionOf: (version, publishedAt) => `Version ${version} · published ${publishedAt}`,
  others: 'All versions',

  accept: 'I have read the privacy notice.',
  read: 'Read the privacy notice',
  newWindow: 'new window',

  publicLead: 'How the company processes personal data in this portal.',
  acceptLead:
    'To go on, please confirm that you have read the privacy notice. This is no consent to the processing of data.',
  acceptSubmit: 'Confirm and go on',

  lead: 'After the first publication every page links to the notice, and users confirm that they have read it when they sign up or first log in. Ask for consent separately where processing needs it. Until then nobody is asked.',
  legal: (citations) => `Required contents: ${citations}`,
  versions: 'Published versions',
  loading: 'Loading the versions.',
  failed: 'The versions could not be loaded.',
  empty: 'Nothing is published yet.',
  columns: {
    privacyVersion: 'Version',
    publishedAt: 'Published',
    isMaterial: 'Asked again',
    name: 'Published by',
    acceptedCount: 'Read by',
  },
  again: 'Yes',
  notAgain: 'No',
  people: (count) => `${count} ${count === 1 ? 'user' : 'users'}`,
  edit: 'New version',
  korean: 'Korean (Markdown)',
  english: 'English (Markdown)',
  englishHint: 'If it is empty, English pages show the Korean notice.',
  template: 'Insert the template',
  templateLead:
    'The template is an example in Korean. Replace every 【 】 by the text of your company, and compare all of it with what your company does before you publish it.',
  preview: 'Preview',
  isMaterial: 'Material change: all users must confirm it again at their next login.',
  publish: 'Publish',
  publishQuestion: {
    title: 'Publish the privacy notice',
    message: 'A published version cannot be changed or deleted. Publish it?',
  },
  published: (version) => `Version ${version} of the privacy notice is published.`,
}
