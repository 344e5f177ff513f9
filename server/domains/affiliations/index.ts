// Affiliations and their default partner codes. What other domains may use; the order stands in design/domains#import-order.
export { affiliations } from './handlers.ts'
