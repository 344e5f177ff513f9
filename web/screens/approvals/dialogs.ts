/* The dialogs of the requests page, loaded together when the first of them opens. */
export { ApproveChangeDialog } from './approve-change-dialog.tsx'
export { ApproveDialog } from './approve-dialog.tsx'
export { RefuseChangeDialog, RefuseDialog } from './refuse-dialog.tsx'
