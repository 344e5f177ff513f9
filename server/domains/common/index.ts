// Code lists and the data of the page layout. Exports what other domains may use; for the order, see design/domains#import-order.
export { common } from './handlers.ts'
export { endOf, isEndOptional } from './validity-end.ts'
export { hasLandlines, phoneMessage, requirePhone } from './phone-number.ts'
export { requireNameLength } from './name-search.ts'
export { affiliationName, affiliationState, checkPlaceable, codeName, requirePlaceable } from './queries.ts'
export { isPositionListed, requirePosition } from './position.ts'
