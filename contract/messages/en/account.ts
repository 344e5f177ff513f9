import type { Messages } from '../ko.ts'

export const account: Messages['account'] = {}
