// What waits for somebody. What other domains may use; the order stands in ADR 048.
export { home } from './handlers.ts'
