// Partner codes, their limits and regions. Exports for other domains; see design/domains#import-order for the order.
export { partners } from './handlers.ts'
export { nearLimit, heldPartner, holdPartners, isInForce, isIssuedFrom, partnersOfCode } from './queries.ts'
export { findPlaces, findRegion, regionFault } from './regions.ts'
export { insertPartners } from './write.ts'
