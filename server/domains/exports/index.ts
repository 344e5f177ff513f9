// Lists that leave as a file. What other domains may use; the order stands in design/domains#import-order.
export { exportList } from './list-export.ts'
export { takeTurn } from './turn.ts'
