import type { Messages } from '../ko.ts'

export const lists: Messages['lists'] = { all: 'All' }
