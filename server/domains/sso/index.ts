// Logins by OpenID Connect. Exports for other domains; see design/domains#import-order for the order.
export { mountBackChannel } from './back-channel.ts'
export { removeOldStates } from './exchange.ts'
export { sso } from './handlers.ts'
export { renewClientSecrets } from './queries.ts'
