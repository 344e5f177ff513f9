// Code lists and what the page frame asks for. What other domains may use; the order stands in ADR 048.
export { common } from './handlers.ts'
export { affiliationName, codeExists, codeName, hasCode } from './queries.ts'
