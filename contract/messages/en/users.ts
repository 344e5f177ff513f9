import type { Messages } from '../ko.ts'

export const users: Messages['users'] = {}
