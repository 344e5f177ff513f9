import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { FunctionName } from '../../contract/permissions.ts'
import type { FailureTables } from './failure-tables.ts'
import type { PortalTables } from './portal-tables.ts'

/** Time that defaults to that of the insert. */
export type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>
export type GivenTimestamp = ColumnType<Date, Date | string, Date | string>
export type NullableTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>
/** Dates and bigints as text: 'YYYY-MM-DD', and numbers that may exceed 2^53. */
export type Id = GeneratedAlways<string>

/** State of a request. */
type RequestState = 'waiting' | 'approved' | 'refused' | 'withdrawn'

/** The tables that the migrations create. */
export interface Database extends PortalTables, FailureTables {
  access_annotations: { month: string; position: string; reason: string; annotated_at: Timestamp }
  codes: {
    group_code: string
    code: string
    name_ko: string
    name_en: string
    sort_order: number
    closed_at: NullableTimestamp
    default_partner_id: ColumnType<string | null, string | null | undefined, string | null>
  }
  roles: {
    code: string
    group_name: string
    name_en: string
    sort_order: number
    built_in: Generated<boolean>
    factor_required_since: NullableTimestamp
  }
  functions: { name: FunctionName }
  role_functions: { role_code: string; function_name: FunctionName }
  provinces: { code: string; name: string }
  districts: { code: string; province_code: string; name: string; x: number; y: number }
  partners: {
    id: Id
    code: string
    type: 'fa' | 'pa'
    affiliation_code: string
    province_code: string
    province_name: string
    district_name: string
    x: number
    y: number
    limit_day: number | null
    limit_week: number | null
    limit_month: number | null
    limit_total: number | null
    valid_from: string | null
    valid_to: string | null
    memo: string | null
    created_at: Timestamp
    updated_at: Timestamp
    name: Generated<string>
    contact: Generated<string>
    stopped_at: NullableTimestamp
  }
  notice_counts: { n: number }
  /** Change of the number of users who are not withdrawn, one row per change until the rows are compacted. */
  user_counts: { affiliation_code: string; role_code: string; approval_code: string; n: number }
  users: {
    id: Id
    login_id: string
    password_hash: string
    password_temporary: Generated<boolean>
    temporary_until: NullableTimestamp
    password_own_from: NullableTimestamp
    name: string
    position: string
    phone_number: string
    phone_shown: Generated<boolean>
    email_shown: Generated<boolean>
    email: string
    affiliation_code: string
    role_code: string
    approval_code: string
    valid_from: string | null
    valid_to: string | null
    partner_id: string | null
    language: Generated<'ko' | 'en'>
    created_at: Timestamp
    updated_at: Timestamp
    last_login_at: NullableTimestamp
    withdrawn_at: NullableTimestamp
    withdrawn_by: ColumnType<string | null, string | null | undefined, string | null>
    withdrawn_reason: ColumnType<string | null, string | null | undefined, string | null>
    /** Time at which the account was anonymized; null before. */
    erased_at: NullableTimestamp
    suspended_at: NullableTimestamp
    /** Null if inactivity was the reason. */
    suspended_for: ColumnType<string | null, string | null | undefined, string | null>
    suspended_reason: ColumnType<string | null, string | null | undefined, string | null>
    /** Maintained by the trigger users_approved. */
    was_approved: GeneratedAlways<boolean>
    /** Maintained by the trigger users_confirm. */
    confirmed_at: Timestamp
    /** Maintained by the trigger users_duties. */
    duties_since: Timestamp
    factors_reset_at: NullableTimestamp
  }
  approval_requests: {
    id: Id
    user_id: string | null
    login_id: string
    name: string
    email: string
    affiliation_code: string
    requested_at: Timestamp
    state: ColumnType<RequestState, RequestState | undefined, RequestState>
    kind: Generated<'account' | 'affiliation'>
    to_affiliation_code: ColumnType<string | null, string | null | undefined, string | null>
    decided_by: ColumnType<string | null, string | null | undefined, string | null>
    decided_at: NullableTimestamp
    reason: ColumnType<string | null, string | null | undefined, string | null>
  }
  account_links: {
    token_hash: Buffer
    user_id: string
    kind: 'INVITATION' | 'EMAIL'
    email: string | null
    requested_by: string | null
    tries: Generated<number>
    created_at: Timestamp
    expires_at: GivenTimestamp
  }
  password_history: { id: Id; user_id: string; password_hash: string; created_at: Timestamp }
  sessions: {
    id: Id
    token_hash: Buffer
    user_id: string
    created_at: Timestamp
    last_used_at: Timestamp
    password_checked_at: NullableTimestamp
    factor_checked_at: NullableTimestamp
    factor_checked_by: string | null
    factor_made_at: NullableTimestamp
    factor_tries: Generated<number>
    challenge: string | null
    challenged_at: NullableTimestamp
    address: string
    user_agent: string
    place_known: Generated<boolean>
    moved_at: NullableTimestamp
    binding_hash: ColumnType<Buffer | null, Buffer | null | undefined, never>
  }
  login_ids: { login_id: string; user_id: string }
  login_id_keys: { id: Id; sealed: Buffer; created_at: Timestamp }
  notices: {
    id: Id
    bullet_code: string
    title: string
    memo: string | null
    author_id: string
    created_at: Timestamp
    updated_at: Timestamp
    published_at: Timestamp
    pinned_until: ColumnType<string | null, string | null | undefined, string | null>
    must_read: Generated<boolean>
    version: Generated<number>
    reminded_at: NullableTimestamp
    memo_format: Generated<string>
    memo_text: string | null
    /** Null for everyone. */
    audience_affiliations: ColumnType<string[] | null, string[] | null | undefined, string[] | null>
    audience_roles: ColumnType<string[] | null, string[] | null | undefined, string[] | null>
    allow_comments: Generated<boolean>
    allow_acknowledgements: Generated<boolean>
  }
  notice_reads: {
    notice_id: string
    user_id: string
    viewed_at: Timestamp
    confirmed_at: NullableTimestamp
    acknowledged_at: NullableTimestamp
  }
  notice_comments: {
    id: Id
    notice_id: string
    author_id: string
    body: string
    created_at: Timestamp
    edited_at: NullableTimestamp
  }
  notice_files: {
    id: string
    notice_id: string
    save_path: string
    save_file_name: string
    original_name: string
    size_bytes: string
    created_at: Timestamp
    missing_since: NullableTimestamp
    downloads: Generated<number>
    picture: string | null
    width: number | null
    height: number | null
  }
  uploads: {
    id: string
    user_id: string
    notice_id: string | null
    replaces_file_id: string | null
    original_name: string
    size_bytes: string | null
    save_path: string
    save_file_name: string
    storage_state: Generated<string>
    created_at: Timestamp
    touched_at: Timestamp
    held_by: string | null
    held_until: NullableTimestamp
    release_wanted: Generated<boolean>
    cancelled: Generated<boolean>
    finished_at: NullableTimestamp
    expected_bytes: string | null
    reserved_bytes: string | null
    scanned_at: NullableTimestamp
    quarantined_at: NullableTimestamp
    finding: string | null
    stored_at: NullableTimestamp
    last_modified: string | null
    picture: string | null
    width: number | null
    height: number | null
  }
  upload_days: { user_id: string; day: string; bytes: string }
  notice_reminders: { user_id: string; day: string; sent: number }
  discarded_files: {
    id: string
    notice_id: string
    save_path: string
    save_file_name: string
    original_name: string
    size_bytes: string
    created_at: GivenTimestamp
    discarded_at: Timestamp
  }
  file_links: {
    token_hash: Buffer
    file_id: string
    session_hash: Buffer
    created_at: Timestamp
    used_at: NullableTimestamp
    used_address: string | null
  }
  installation: { id: Generated<string> }
  issued_keys: {
    id: Id
    user_id: string
    request_key: string
    partner_id: string
    affiliation_code: string
    province_name: string
    district_name: string
    issued_at: Timestamp
    /** Found or created by the trigger issued_keys_cell. */
    cell_id: ColumnType<string, string | undefined, never>
    issued_on: GeneratedAlways<string | null>
    revoked_at: NullableTimestamp
    revoked_by: ColumnType<string | null, never, string>
    revoke_reason: ColumnType<string | null, never, string>
    /** key_secrets.version */
    secret_version: Generated<number>
  }
  key_cells: {
    id: Id
    partner_id: string
    affiliation_code: string
    province_name: string
    district_name: string
  }
  /** Maintained by the trigger key_counts, as the next four tables. */
  key_days: { day: string; cell_id: string; n: number }
  key_months: { month: string; cell_id: string; n: number }
  key_user_totals: { user_id: string; n: number }
  /**
   * Change of the number of keys, one row per change until the rows are compacted: in total, and by the columns that are filtered
   * most.
   */
  key_totals: { day: string; n: number }
  key_region_totals: { affiliation_code: string; province_name: string; day: string; n: number }
  key_warnings: {
    partner_id: string
    period: 'day' | 'week' | 'month' | 'total'
    starts_on: string
    key_limit: number
    mark: number
    queued_at: Timestamp
  }
  audit_log: {
    id: Id
    at: Timestamp
    action: string
    actor_id: string | null
    target: string | null
    detail: ColumnType<unknown, string, string>
    address: string
    request_id: string
    records: ColumnType<string[] | null, string[] | null | undefined, never>
  }
  /** Change of the number of rows, maintained by the trigger count_audit. */
  audit_counts: { day: string; action: string; n: number }
}
