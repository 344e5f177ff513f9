import type { Messages } from '../ko.ts'

export const home: Messages['home'] = {}
