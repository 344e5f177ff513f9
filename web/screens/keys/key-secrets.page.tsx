import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { FORMER_KEYS_PER_PAGE, listFormerKeyHolders, listKeySecrets } from '../../../contract/keys.ts'
import { prefetch, query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, dayOf, minuteOf } from '../../lists/columns.ts'
import { ListResults } from '../../lists/list-results.tsx'
import { QueryTable } from '../../lists/query-table.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { defineList } from '../../lists/use-list.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { PersonName } from '../users/record/person-name.tsx'
import layout from '../../ui/layout.module.css'

/** A key secret with its number of keys. */
type Secret = OutputOf<typeof listKeySecrets>['secrets'][number]
/** A user with keys of previous secrets. */
type Holder = OutputOf<typeof listFormerKeyHolders>['users'][number]

/**
 * Returns the badge tone of a secret: one that the server no longer has (`gone`) is a problem only while keys need it.
 */
const toneOf = ({ state, keyCount }: Secret) =>
  (({ current: 'positive', former: 'warning', gone: keyCount > 0 ? 'danger' : 'neutral' }) as const)[state]

/** Query for the key secrets. */
const secretsQuery = query(listKeySecrets, {})
/** The list of users with keys of previous secrets: its URL and its query. */
const holders = defineList({
  path: '/key/secrets',
  filters: {},
  perPage: FORMER_KEYS_PER_PAGE,
  query: ({ page }, perPage) => query(listFormerKeyHolders, { page, perPage }),
})

/** Prefetches the key secrets and a page of the users with keys of previous secrets. */
export const load: typeof holders.load = (...words) => {
  void prefetch(secretsQuery)
  return holders.load(...words)
}

/**
 * The page /key/secrets (rules/keys#changed-secret): the secrets from which keys are derived, with their numbers of
 * keys, and the users who still have keys of a previous secret.
 */
export default function KeySecrets() {
  const { keys, titles } = usePortalMessages()
  const t = keys.secrets
  const found = useQuery(secretsQuery)
  const page = holders.usePage(holders.useList())
  useShowRefusal(found.error ?? page.error)

  const secret = columnsOf<Secret, keyof typeof t.columns>(t.columns)
  const state = (row: Secret) => <Badge tone={toneOf(row)}>{t.states[row.state]}</Badge>

  return (
    <Page title={titles.keySecrets}>
      <div className={layout.stack}>
        <p>{t.lead}</p>
        <QueryTable
          query={found}
          texts={{ ...t, results: t.list }}
          columns={[
            secret.text('secretVersion', { isRowHeader: true }),
            secret.column('state', state, { width: 200, align: 'center' }),
            secret.column('since', (row) => minuteOf(row.since), { width: 220 }),
            secret.column('keyCount', (row) => t.count(row.keyCount.toLocaleString()), { width: 200 }),
          ]}
          rows={found.data?.secrets ?? []}
          getRowKey={(row) => String(row.secretVersion)}
          leastRows={1}
        />
      </div>
      <Card title={t.former.title}>
        <div className={layout.stack}>
          <p className={layout.quiet}>{t.former.lead}</p>
          <ListResults
            page={page}
            texts={{ ...t.former, results: t.former.list }}
            columns={useHolderColumns()}
            rows={page.data?.users ?? []}
            getRowKey={(row) => row.userId}
            isShort
          />
        </div>
      </Card>
    </Page>
  )
}

/** Returns the columns of the users who have keys of previous secrets. */
function useHolderColumns(): ListColumn<Holder>[] {
  const t = usePortalMessages().keys.secrets
  const { text, column } = columnsOf<Holder, keyof typeof t.former.columns>(t.former.columns)
  return [
    text('rowNumber', { width: 72, align: 'center' }),
    column('name', ({ userId, name }) => <PersonName userId={userId} name={name} />, { isRowHeader: true }),
    text('userId', { width: 180 }),
    text('affiliationName', { width: 170 }),
    text('partnerCode', { width: 190 }),
    column('keyCount', (row) => t.count(row.keyCount.toLocaleString()), { width: 130 }),
    column('issuedAt', (row) => dayOf(row.issuedAt), { width: 140 }),
  ]
}
