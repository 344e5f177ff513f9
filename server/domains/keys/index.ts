// Issuing, verifying and searching keys. What other domains may use; the order stands in ADR 048.
export { checkKeySecret } from './bound-secret.ts'
export { keys } from './handlers.ts'
export { keysOf } from './history.ts'
export { mergeKeyTotals } from './spans.ts'
