// Requests for an account and their decision. What other domains may use; the order stands in design/domains#import-order.
export {
  approveOpenChanges,
  askForAffiliation,
  findOpenChange,
  withdrawOpenChange,
} from './affiliation-queries.ts'
export { approveOpenRequests } from './decide.ts'
export { approvals } from './handlers.ts'
export { decidable, eraseClosedRequests } from './queries.ts'
