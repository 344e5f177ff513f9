/* What the page of requests opens, fetched together when the first of them is opened. */
export { ApproveChangeDialog } from './approve-change-dialog.tsx'
export { ApproveDialog } from './approve-dialog.tsx'
export { RefuseChangeDialog, RefuseDialog } from './refuse-dialog.tsx'
