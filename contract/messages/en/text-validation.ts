import type { FirstMessages } from '../ko.ts'

/** `ko/text-validation.ts` in English. */
export const textValidation: FirstMessages['validation'] = {
  required: 'This field is required.',
  notText: 'Please enter text.',
  tooLong: (max) => `Please enter at most ${max} characters.`,
  tooManyMarks: 'A letter can have at most 30 combining marks.',
  controlCharacter: 'It contains a character that cannot be used.',
  unseenCharacter:
    'It contains an invisible character or one that changes the writing direction. Please type it again.',
}
