// Issuing, verifying and searching keys. What other domains may use; the order stands in design/domains#import-order.
export { keys } from './handlers.ts'
export { keysOf } from './history.ts'
export { checkKeySecret, countFormerKeys, forgetKeySecrets, formerSecretsOf } from './secrets.ts'
export { mergeKeyTotals } from './key-counts.ts'
export { eraseEndedTokens, notifyExpiringTokens } from './token-expiry.ts'
