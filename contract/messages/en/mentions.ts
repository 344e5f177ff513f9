import type { MentionTexts } from '../ko/mentions.ts'

/** `ko/mentions.ts` in English. */
export const mentions: MentionTexts = {
  hint: 'Type @ to mention a colleague.',
  told: (people) => `Will be notified: ${people}`,
  list: 'People to mention',
  found: (count) =>
    `${count === '1' ? '1 person' : `${count} people`} found. Move with the arrow keys and select with Enter.`,
}
