// Tasks that wait for a user. Exports what other domains may use; for the order, see design/domains#import-order.
export { home } from './handlers.ts'
