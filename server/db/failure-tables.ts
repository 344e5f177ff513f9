import type { Generated } from 'kysely'
import type { Timestamp } from './types.ts'

/** Tables that count wrong passwords and second factors. */
export interface FailureTables {
  login_failures: {
    login_id: string
    network: Generated<string>
    failures: number
    last_failed_at: Timestamp
    total: Generated<number>
  }
  factor_failures: {
    user_id: string
    password_mark: Buffer
    failures: number
    since: Timestamp
    all_failures: Generated<number>
    all_since: Timestamp
  }
}
