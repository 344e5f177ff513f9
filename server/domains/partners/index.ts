// Partner codes, their limits and regions. What other domains may use; the order stands in design/domains#import-order.
export { partners } from './handlers.ts'
export { nearLimit } from './near-limit.ts'
export { heldPartner, holdPartners, isInForce, partnersOfCode } from './queries.ts'
export { findPlaces, findRegion } from './regions.ts'
export { insertPartners } from './write.ts'
