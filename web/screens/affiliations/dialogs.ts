/* The dialogs of the affiliations page, loaded together when the first of them opens. */
export { AffiliationDialog } from './affiliation-dialog.tsx'
export { CloseDialog } from './close-dialog.tsx'
export { DefaultDialog } from './default-dialog.tsx'
export { ManyDialog } from './many-dialog.tsx'
export { OrderDialog } from './order-dialog.tsx'
export { PartnerDialog } from './partner-dialog.tsx'
export { RenameDialog } from './rename-dialog.tsx'
