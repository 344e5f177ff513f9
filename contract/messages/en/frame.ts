import type { Messages } from '../ko.ts'

export const frame: Messages['frame'] = {}
