// Issue, verification and search of keys. Exports for other domains; see design/domains#import-order for the order.
export { keys } from './handlers.ts'
export { keysOf } from './history.ts'
export { checkKeySecret, countFormerKeys, forgetKeySecrets, formerSecretsOf } from './secrets.ts'
export { mergeKeyTotals } from './key-counts.ts'
export { eraseEndedTokens, notifyExpiringTokens } from './tokens.ts'
