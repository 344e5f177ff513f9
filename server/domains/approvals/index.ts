// Approval requests and their decisions. Exports for other domains; see design/domains#import-order for the order.
export {
  approveOpenChanges,
  askForAffiliation,
  findOpenChange,
  withdrawOpenChange,
} from './affiliation-queries.ts'
export { approveOpenRequests } from './decide.ts'
export { approvals } from './handlers.ts'
export { queryDecidableRequests, eraseClosedRequests } from './queries.ts'
