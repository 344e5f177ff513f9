import type { ColumnType, Generated } from 'kysely'
import type { GivenTimestamp, Id, NullableTimestamp, Timestamp } from './types.ts'

/** The tables of what the portal itself keeps: codes and mails on their way, counts of tries, what a person saved, settings. */
export interface PortalTables {
  certifications: {
    type_code: string
    email: string
    login_id: string
    salt: Buffer
    code_hash: Buffer
    tries: Generated<number>
    foreign_tries: Generated<number>
    requester: Generated<string>
    expires_at: GivenTimestamp
  }
  mails: {
    id: Id
    recipient: string | null
    subject: string
    text: string
    html: string
    created_at: Timestamp
    expires_at: NullableTimestamp
    next_try_at: Timestamp
    tries: Generated<number>
    last_error: string | null
    failed_at: NullableTimestamp
    urgent: Generated<boolean>
    requester: Generated<string>
    turn: Generated<string>
  }
  login_ids: { login_id: string; user_id: string }
  saved_searches: {
    id: Id
    user_id: string
    list: 'users'
    name: string
    conditions: ColumnType<unknown, string, string>
    created_at: Timestamp
  }
  login_networks: { user_id: string; network: string; last_login_at: Timestamp }
  notice_reminders: { user_id: string; day: string; sent: number }
  settings: {
    id: Generated<boolean>
    company_name: string | null
    logo_text: string | null
    portal_url: string | null
    offices: ColumnType<unknown, string | null, string | null>
    logo: Buffer | null
    logo_type: string | null
    logo_digest: string | null
    mail_tested: string | null
    setup_state: Generated<'open' | 'later' | 'finished'>
    changed_at: NullableTimestamp
    changed_by: string | null
  }
  account_notices: { user_id: string; kind: string; about: string; created_at: Timestamp }
  daily_runs: { job: string; day: string; done_at: Timestamp }
  rate_limits: { key: string; points: number; expire: string | null }
}
