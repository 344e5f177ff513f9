// Affiliations and their default partner codes. Exports for other domains; see design/domains#import-order for the order.
export { affiliations } from './handlers.ts'
