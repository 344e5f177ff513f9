import type { ColumnType, Generated } from 'kysely'
import type { InspectionRule, Verdict } from '../../contract/audit/inspections.ts'
import type { ErasureMethod, RetentionKind } from '../../contract/settings/retention.ts'
import type { Decision } from '../../contract/audit/reviews.ts'
import type { FunctionName } from '../../contract/permissions.ts'
import type { MailChoice } from '../../contract/notifications/kinds.ts'
import type { SessionBinding } from '../../contract/settings/security.ts'
import type { GivenTimestamp, Id, NullableTimestamp, Timestamp } from './types.ts'

/** Reason why a program token ended, early or at its expiry. */
type TokenEnd = 'expired' | 'revoked' | 'account'

/** Tables of the portal itself: codes and pending mails, counts of attempts, data that users saved, settings. */
export interface PortalTables {
  totp_secrets: {
    user_id: string
    sealed: Buffer
    /** Fingerprint of the key secret that encrypted it; null until it is determined. */
    sealed_by: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
    created_at: Timestamp
    last_used_at: NullableTimestamp
    last_step: string
  }
  passkeys: {
    id: Id
    user_id: string
    name: string
    rp_id: string
    credential_id: string
    public_key: Buffer
    counter: string
    transports: string[]
    created_at: Timestamp
    last_used_at: NullableTimestamp
  }
  passkey_enrolments: { user_id: string; challenge: string; created_at: Timestamp }
  recovery_codes: { user_id: string; code_hash: Buffer; created_at: Timestamp; used_at: NullableTimestamp }
  login_tickets: {
    token_hash: Buffer
    user_id: string
    browser_hash: Buffer
    password_mark: Buffer
    challenge: string | null
    created_at: Timestamp
  }
  access_log: {
    month: string
    position: string
    at: GivenTimestamp
    act: string
    call: string
    actor_id: string | null
    actor: string
    address: string
    request_id: string
    result: string
    detail: string
    subjects: string[]
    named: string[]
    hash: Buffer
  }
  access_log_heads: {
    month: string
    position: string
    at: GivenTimestamp
    hash: Buffer
    archived_at: NullableTimestamp
  }
  access_counts: { day: string; act: string; call: string; refused: boolean; n: number }
  inspections: {
    month: string
    records: string
    chain_end: Buffer
    rules: ColumnType<unknown, string, string>
    searched_at: Timestamp
    searcher_name: string
    opinion: Generated<string>
    signed_at: NullableTimestamp
    signer_login_id: Generated<string>
    signer_name: Generated<string>
  }
  inspection_findings: {
    id: Id
    month: string
    rule: InspectionRule
    day: string
    person_id: string | null
    login_id: string
    name: string
    address: string
    amount: string
    verdict: Generated<'' | Verdict>
    remark: Generated<string>
    remarked_at: NullableTimestamp
    remarker_id: string | null
    remarker_name: Generated<string>
  }
  erasures: {
    id: Id
    at: Timestamp
    kind: RetentionKind
    method: ErasureMethod
    kept_for: number
    n: number
  }
  rights_reviews: {
    quarter: string
    taken_at: Timestamp
    taker_name: string
    opinion: Generated<string>
    signed_at: NullableTimestamp
    signer_login_id: Generated<string>
    signer_name: Generated<string>
  }
  rights_review_items: {
    id: Id
    quarter: string
    role_code: string
    role_name: string
    role_name_en: string
    functions: FunctionName[]
    members: string | null
    person_id: string | null
    login_id: Generated<string>
    name: Generated<string>
    may_log_in: boolean | null
    last_login_at: NullableTimestamp
    decision: Generated<'' | Decision>
    remark: Generated<string>
    remarked_at: NullableTimestamp
    remarker_id: string | null
    remarker_name: Generated<string>
  }
  heartbeat: {
    id: Generated<boolean>
    written_at: Timestamp
    trusted_at: Timestamp
    seen_at: Timestamp
    doubted_since: NullableTimestamp
  }
  room_probe: { filler: Buffer }
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
  saved_searches: {
    id: Id
    user_id: string
    list: 'users'
    name: string
    conditions: ColumnType<unknown, string, string>
    created_at: Timestamp
  }
  key_secrets: {
    version: number
    fingerprint: Buffer
    since: Timestamp
    forgotten_at: NullableTimestamp
    live_keys: Generated<number>
  }
  servers: {
    id: string
    name: string
    storage: string
    key_secret: Buffer
    envelope: Buffer
    seen_at: Timestamp
  }
  storage_mark: {
    only_one: Generated<boolean>
    marks: Generated<string[]>
    accepted_at: NullableTimestamp
    swept_at: NullableTimestamp
    stopped: string | null
    unnamed: Generated<number>
  }
  login_networks: { user_id: string; network: string; last_login_at: Timestamp }
  settings: {
    id: Generated<boolean>
    company_name: string | null
    logo_text: string | null
    company_name_en: string | null
    logo_text_en: string | null
    portal_url: string | null
    offices: ColumnType<unknown, string | null, string | null>
    logo: Buffer | null
    logo_type: string | null
    logo_digest: string | null
    mail_tested: string | null
    notice_comments: Generated<boolean>
    notice_acknowledgements: Generated<boolean>
    setup_state: Generated<'open' | 'later' | 'finished'>
    inspection_rules: ColumnType<unknown, string | undefined, string>
    retention: ColumnType<unknown, string | undefined, string>
    erasing_from: Timestamp
    session_limit: Generated<number>
    session_binding: Generated<SessionBinding>
    admin_networks: Generated<string[]>
    factor_grace_days: Generated<number>
    upload_quota_mb: Generated<number>
    reviews_from: Generated<string>
    changed_at: NullableTimestamp
    changed_by: string | null
  }
  factor_resets: {
    id: Id
    user_id: string
    asked_by: string
    asked_at: Timestamp
    reason: string
    state: Generated<'waiting' | 'confirmed' | 'refused' | 'withdrawn' | 'needless'>
    decided_by: string | null
    decided_at: NullableTimestamp
    decision_reason: string | null
  }
  account_notices: { user_id: string; kind: string; about: string; created_at: Timestamp }
  notifications: {
    id: Id
    kind: string
    user_id: string | null
    partner_id: string | null
    notice_id: string | null
    actor_id: ColumnType<string | null, string | null | undefined, string | null>
    detail: ColumnType<unknown, string | undefined, string>
    at: Timestamp
  }
  notification_reads: { user_id: string; notification_id: string; read_at: Timestamp }
  notification_states: {
    user_id: string
    read_until: Timestamp
    hidden: Generated<string[]>
    mail: ColumnType<Record<string, MailChoice>, string | undefined, string>
  }
  notification_mails: { notification_id: string; at: Timestamp }
  daily_runs: { job: string; day: string; done_at: Timestamp }
  backup_runs: {
    id: Id
    due_at: GivenTimestamp
    folder: string
    begun_at: Timestamp
    ended_at: NullableTimestamp
    failure: string | null
    row_count: string | null
    file_count: string | null
    missing_count: string | null
    bytes: string | null
    tested_at: NullableTimestamp
    test_failure: string | null
    removed_at: NullableTimestamp
  }
  program_tokens: {
    id: Id
    user_id: string
    name: string
    token_hash: Buffer
    previous_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
    previous_until: NullableTimestamp
    created_at: Timestamp
    expires_at: GivenTimestamp
    last_used_at: NullableTimestamp
    last_address: ColumnType<string | null, string | null | undefined, string | null>
    networks: Generated<string[]>
    /** Time up to which all notifications about the end of the token were sent. */
    told_at: Timestamp
    ended_at: NullableTimestamp
    end_reason: ColumnType<TokenEnd | null, TokenEnd | null | undefined, TokenEnd | null>
  }
  service_tokens: {
    id: Id
    name: string
    token_hash: Buffer
    created_at: Timestamp
    created_by: string
    last_used_at: NullableTimestamp
    revoked_at: NullableTimestamp
    revoked_by: string | null
    /** Null for tokens from before tokens had an expiry. */
    expires_at: NullableTimestamp
    previous_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
    previous_until: NullableTimestamp
    told_at: Timestamp
  }
  rate_limits: { key: string; points: number; expire: string | null }
}
