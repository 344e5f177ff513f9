// Exports of lists as files. Exports what other domains may use; for the order, see design/domains#import-order.
export { exportList, formatPhone, maskedEmail, maskedPhone } from './list-export.ts'
export { takeExportSlot } from './export-slots.ts'
export { checkTemporaryRoom, liveFile, temporaryFolder } from './streamed-file.ts'
