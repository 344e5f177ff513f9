/* The dialogs of the affiliations page, loaded together when the first of them opens. */
export * from './list-dialogs.tsx'
export { ManyDialog } from './many-dialog.tsx'
export * from './record-dialogs.tsx'
