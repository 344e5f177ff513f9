// Code lists and what the page frame asks for. What other domains may use; the order stands in design/domains#import-order.
export { common } from './handlers.ts'
export { affiliationName, affiliationState, checkPlaceable, codeName, requirePlaceable } from './queries.ts'
