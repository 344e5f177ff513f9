// Affiliations and their default partner codes. What other domains may use; the order stands in ADR 048.
export { affiliations } from './handlers.ts'
