// Provisioning by SCIM 2.0. Exports for the app; see design/domains#import-order for the order.
export { scim } from './handlers.ts'
export { mountScim } from './mount.ts'
