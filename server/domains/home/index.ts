// What waits for somebody. What other domains may use; the order stands in design/domains#import-order.
export { home } from './handlers.ts'
