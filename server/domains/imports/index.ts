// Import files of several domains. Exports what other domains may use; for the order, see design/domains#import-order.
export {
  allOrNone,
  byNames,
  type CellError,
  ERRORS_SHOWN,
  mapInTurns,
  nameFault,
  nameKey,
  placeOf,
  rowErrors,
} from './row-validation.ts'
