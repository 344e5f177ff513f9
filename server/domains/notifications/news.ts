import type pg from 'pg'
import type { FunctionName } from '../../../contract/permissions.ts'

/** A new event, and whom it concerns. */
export interface News {
  id: string
  /** users.id */
  userId: string | null
  /** partners.id */
  partnerId: string | null
  /** Permission whose holders the event concerns; '' for all users. */
  needs: FunctionName | '' | null
}

/** Longer than the transaction of a call may take from the event to its commit. */
const WINDOW_SECONDS = 30

/**
 * Finds the events of the last seconds, from all servers. The caller skips those it has seen. Three indexes find the few rows.
 */
export async function findNews(pool: pg.Pool): Promise<News[]> {
  const { rows } = await pool.query<News>({
    name: 'notifications-news',
    text: `
      with since as (select now() - interval '${WINDOW_SECONDS} seconds' as at)
      select id::text, user_id as "userId", partner_id as "partnerId",
        case when partner_id is not null then 'autho_partner_search' end as needs
        from notifications where at > (select at from since)
      union all
      select 'n' || id, null, null, '' from notices
        where must_read and published_at > (select at from since) and published_at <= now()
      union all
      select 'r' || id, null, null, 'autho_user_manage' from approval_requests
        where state = 'waiting' and kind = 'account' and requested_at > (select at from since)
      union all
      select to_char(h.month, '"i"YYYYMM'), null, null, 'autho_audit_search' from access_log_heads h
        where (h.month + interval '1 month')::timestamp at time zone 'Asia/Seoul' between (select at from since) and now()
      union all
      select to_char(q.quarter, '"q"YYYYQ'), null, null, 'autho_role_manage'
        from (select date_trunc('quarter', now() at time zone 'Asia/Seoul') as quarter) as q
        where q.quarter at time zone 'Asia/Seoul' > (select at from since) and q.quarter >= (select reviews_from from settings)`,
  })
  return rows
}
