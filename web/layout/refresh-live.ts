import { inBackground } from '../api/client.ts'
import { queryClient } from '../api/query.ts'

/** Reads again the results that follow the event stream (`isLive`) and are shown now. Does not extend the session. */
export function refreshLive(): void {
  inBackground(() => void queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.isLive === true }))
}
