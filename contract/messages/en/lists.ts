import type { Messages } from '../ko.ts'

/** `ko/lists.ts` in English. */
export const lists: Messages['lists'] = { all: 'All' }
