import { type RawBuilder, sql, type Transaction } from 'kysely'
import { Readable } from 'node:stream'
import { catalogues } from '../../../../contract/messages/index.ts'
import { OWN_DATA, type OwnDataPart, type exportOwnData as endpoint } from '../../../../contract/users.ts'
import { ROWS_AT_ONCE } from '../../../db/list.ts'
import { today, wireTime } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import type { SignedIn } from '../../../callers/sessions.ts'
import type { Handler } from '../../../http/handler.ts'
import { isConcerned } from '../../../records/notifications.ts'
import { otherTeamNames, teamPath } from '../../teams/index.ts'
import { checkTemporaryRoom, liveFile, takeExportSlot, temporaryFolder } from '../../exports/index.ts'

/** Returns the SQL value of a timestamp column in the form of the wire. */
const time = (column: string) => wireTime(sql.ref(column))

/**
 * Query of each part of a user's data, as rows of one JSON column. The columns are listed explicitly, so that a new
 * column is exported only after a developer adds it. The parts contain no hash, token or secret, and of other users
 * only what the portal shows the user.
 */
const PARTS: Record<OwnDataPart, (id: string, actor: SignedIn) => RawBuilder<unknown>> = {
  account: (id) => sql`select jsonb_build_object('userId', u.login_id, 'name', u.name, 'position', u.position,
    'phoneNumber', u.phone_number, 'phoneShown', u.phone_shown, 'phoneHidden', u.phone_hidden,
    'email', u.email, 'emailShown', u.email_shown, 'emailHidden', u.email_hidden,
    'employeeNumber', u.employee_number, 'details', (select coalesce(jsonb_object_agg(f ->> 'name', u.custom_values ->> (f ->> 'slot')), '{}')
      from settings s, jsonb_array_elements(s.custom_fields) f where u.custom_values ? (f ->> 'slot') and f ->> 'seenBy' <> 'managers'),
    'affiliation', c.name_ko, 'team', ${teamPath('ko')}, 'otherTeams', ${otherTeamNames('ko')}, 'role', r.group_name, 'partnerCode', p.code, 'validFrom', u.valid_from, 'validTo', u.valid_to,
    'language', u.language, 'registeredAt', ${time('u.createdAt')}, 'changedAt', ${time('u.updatedAt')},
    'lastLoginAt', ${time('u.lastLoginAt')}) as row
    from users u join roles r on r.code = u.role_code left join partners p on p.id = u.partner_id
    left join codes c on c.code = u.affiliation_code and c.group_code = 'COMBEL001' where u.id = ${id}`,
  formerIds: (id) => sql`select to_jsonb(i.login_id) as row from login_ids i join users u on u.id = i.user_id
    where i.user_id = ${id} and i.login_id <> u.login_id order by i.login_id`,
  requests: (
    id,
  ) => sql`select jsonb_build_object('kind', kind, 'userId', login_id, 'name', name, 'email', email,
    'affiliationCode', affiliation_code, 'toAffiliationCode', to_affiliation_code, 'requestedAt', ${time('requested_at')},
    'state', state, 'decidedAt', ${time('decided_at')}, 'reason', reason) as row
    from approval_requests where user_id = ${id} order by id`,
  notices: (id) => sql`select jsonb_build_object('noticeId', id::text, 'title', title, 'text', memo,
    'createdAt', ${time('created_at')}, 'changedAt', ${time('updated_at')}) as row
    from notices where author_id = ${id} order by id`,
  comments: (
    id,
  ) => sql`select jsonb_build_object('noticeId', notice_id::text, 'text', body, 'answersComment', answered_id is not null,
    'createdAt', ${time('created_at')}, 'changedAt', ${time('edited_at')}) as row
    from notice_comments where author_id = ${id} order by id`,
  confirmations: (
    id,
  ) => sql`select jsonb_build_object('noticeId', notice_id::text, 'viewedAt', ${time('viewed_at')},
    'confirmedAt', ${time('confirmed_at')}, 'acknowledgedAt', ${time('acknowledged_at')}) as row
    from notice_reads where user_id = ${id} order by notice_id`,
  keys: (
    id,
  ) => sql`select jsonb_build_object('keyId', k.id::text, 'requestKey', k.request_key, 'partnerCode', p.code,
    'affiliationCode', k.affiliation_code, 'provinceName', k.province_name, 'districtName', k.district_name,
    'issuedAt', ${time('k.issuedAt')}, 'revokedAt', ${time('k.revokedAt')}, 'revokeReason', k.revoke_reason) as row
    from issued_keys k join partners p on p.id = k.partner_id where k.user_id = ${id}`,
  programs: (id) => sql`select jsonb_build_object('name', name, 'createdAt', ${time('created_at')},
    'expiresAt', ${time('expires_at')}, 'lastUsedAt', ${time('last_used_at')}, 'lastAddress', last_address,
    'networks', networks, 'scopes', scopes, 'allowedNetworks', allowed_networks::text[],
    'endedAt', ${time('ended_at')}) as row from program_tokens where user_id = ${id} order by id`,
  notifications: (
    id,
    actor,
  ) => sql`select jsonb_build_object('kind', kind, 'at', ${time('at')}, 'noticeId', notice_id::text,
    'detail', detail, 'name', (select a.name from users a where a.id = actor_id)) as row from notifications
    where user_id = ${id} and ${isConcerned(actor)} order by id`,
  sessions: (
    id,
  ) => sql`select jsonb_build_object('loggedInAt', ${time('created_at')}, 'lastUsedAt', ${time('last_used_at')},
    'address', address, 'device', user_agent) as row from sessions where user_id = ${id} order by created_at`,
  secondFactors: (
    id,
  ) => sql`select jsonb_build_object('kind', kind, 'name', name, 'since', ${time('created_at')}, 'lastUsedAt', ${time('used_at')}) as row
    from (select 'app' as kind, '' as name, created_at, last_used_at as used_at from totp_secrets where user_id = ${id}
      union all select 'passkey', name, created_at, last_used_at from passkeys where user_id = ${id}
      union all select 'recoveryCode', '', created_at, used_at from recovery_codes where user_id = ${id}) factors
    order by kind, created_at`,
  singleSignOn: (
    id,
  ) => sql`select jsonb_build_object('provider', p.name, 'issuer', p.issuer, 'subject', i.subject, 'linkedAt', ${time('i.created_at')},
    'lastLoginAt', ${time('i.last_login_at')}) as row
    from identities i join identity_providers p on p.id = i.provider_id where i.user_id = ${id} order by p.id`,
  provisioning: (
    id,
  ) => sql`select jsonb_build_object('provider', p.name, 'userName', s.user_name, 'externalId', s.external_id, 'attributes', s.attributes,
    'groups', array(select g.display_name from scim_group_members m join scim_groups g on g.id = m.group_id where m.user_id = s.user_id order by 1),
    'since', ${time('s.created_at')}, 'changedAt', ${time('s.updated_at')}) as row
    from scim_users s join identity_providers p on p.id = s.provider_id where s.user_id = ${id}
    union all select jsonb_build_object('provider', p.name, 'userName', c.user_name, 'externalId', c.external_id,
    'askedAt', ${time('c.asked_at')}) from scim_candidates c join identity_providers p on p.id = c.provider_id where c.user_id = ${id}`,
  factorResets: (
    id,
  ) => sql`select jsonb_build_object('askedAt', ${time('asked_at')}, 'reason', reason, 'state', state,
    'decidedAt', ${time('decided_at')}, 'decisionReason', decision_reason) as row
    from factor_resets where user_id = ${id} order by id`,
  privacyAcceptances: (
    id,
  ) => sql`select jsonb_build_object('privacyVersion', version, 'acceptedAt', ${time('accepted_at')}) as row
    from privacy_acceptances where user_id = ${id} order by version`,
  networks: (
    id,
  ) => sql`select jsonb_build_object('network', network, 'lastLoginAt', ${time('last_login_at')}) as row
    from login_networks where user_id = ${id} order by network`,
  savedSearches: (id) => sql`select jsonb_build_object('list', list, 'name', name, 'conditions', conditions,
    'createdAt', ${time('created_at')}) as row from saved_searches where user_id = ${id} order by id`,
  // Same rows as in rules/audit#own-access.
  seenBy: (
    id,
  ) => sql`select jsonb_build_object('at', ${time('l.at')}, 'userId', coalesce(a.login_id, l.actor), 'name', a.name,
    'affiliation', c.name_ko, 'act', l.act,
    'call', l.call, 'annotation', n.reason) as row
    from (
      select * from access_log where subjects @> array[${id}]::bigint[]
      -- Rows from before migration 082 hold the login ID null as a NULL.
      union all select * from access_log where (select login_id = 'null' from users where id = ${id})
        and named <> '{}' and array_position(named, null) is not null and not subjects @> array[${id}]::bigint[]
    ) l
    left join access_annotations n on n.month = l.month and n.position = l.position
    left join users a on a.id = l.actor_id
    left join codes c on c.code = a.affiliation_code and c.group_code = 'COMBEL001'
    where l.actor_id <> ${id}::bigint and l.act <> 'login' and l.result = ''`,
}

/** Yields the JSON text of all parts of the caller's data, while it reads them from the snapshot `tx`. */
async function* jsonOf(tx: Transaction<Database>, actor: SignedIn): AsyncGenerator<string> {
  yield '{'
  for (const [index, part] of OWN_DATA.entries()) {
    yield `${index === 0 ? '' : ','}\n"${part}": [`
    const rows = tx
      .selectFrom(sql<{ row: unknown }>`(${PARTS[part](actor.id, actor)})`.as('part'))
      .select('part.row')
      .stream(ROWS_AT_ONCE)
    let isFirst = true
    for await (const { row } of rows) {
      yield `${isFirst ? '' : ','}\n  ${JSON.stringify(row)}`
      isFirst = false
    }
    yield isFirst ? ']' : '\n]'
  }
  yield '\n}\n'
}

/**
 * Exports all stored data of the caller as a JSON file from one snapshot (rules/retention#own-data). Writes the audit
 * row before the first byte. Uses the export slot of the caller until the file is sent.
 * @throws {Refusal} EXPORT_BUSY as `takeExportSlot`; DISK_FULL
 */
export const exportOwnData: Handler<typeof endpoint> = async (call) => {
  const { actor, db, language } = call
  const folder = temporaryFolder(call.services.config.dataDir)
  await checkTemporaryRoom(folder)
  const { tx, end, release } = await takeExportSlot(call.longReads, actor.id)
  try {
    const { day } = await tx.selectNoFrom(sql<string>`${today}::text`.as('day')).executeTakeFirstOrThrow()
    await db.transaction().execute((record) => call.audit(record, { target: actor.userId, records: null }))
    return {
      name: `${catalogues[language].ownData.fileName}_${day}.json`,
      type: 'application/json; charset=utf-8',
      open: () =>
        liveFile(jsonOf(tx, actor), (texts) => Readable.from(texts), {
          folder,
          onEnd: end,
          onSent: release,
        }),
    }
  } catch (error) {
    await end()
    release()
    throw error
  }
}
