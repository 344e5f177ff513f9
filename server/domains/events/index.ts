// Webhooks and events for programs. Exports for other domains; see design/domains#import-order for the order.
export { deliverNext, removeOldDeliveries } from './deliver.ts'
export { events } from './handlers.ts'
export { logExportJobs } from './log-export/jobs.ts'
export { renewWebhookSecrets } from './secrets.ts'
