// Exports of lists as files. Exports what other domains may use; for the order, see design/domains#import-order.
export { exportList } from './list-export.ts'
export { takeTurn } from './turn.ts'
