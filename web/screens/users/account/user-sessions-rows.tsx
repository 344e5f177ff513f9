import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { listHistory } from '../../../../contract/audit.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { userSessions as en } from '../../../../contract/messages/en/user-sessions.ts'
import { userSessions as ko, type UserSessionTexts } from '../../../../contract/messages/ko/user-sessions.ts'
import { endUserSession, listUserSessions } from '../../../../contract/users.ts'
import { invalidate, recordQuery, useCall } from '../../../api/query.ts'
import { useShowRefusal } from '../../../forms/show-refusal-on-field.ts'
import { createTexts } from '../../../language.tsx'
import { columnsOf, minuteOf } from '../../../lists/columns.ts'
import { QueryTable } from '../../../lists/query-table.tsx'
import type { ListColumn } from '../../../lists/use-columns.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ReasonDialog } from './account-dialogs.tsx'

const useTexts = createTexts({ ko, en })

type Session = OutputOf<typeof listUserSessions>['sessions'][number]

/** Placeholder rows while the list is loading: the number that most users have. */
const USUAL_DEVICES = 2

/**
 * Shows the live sessions of another user, each with a button that ends it after a question for a reason
 * (rules/users#user-sessions).
 */
export function UserSessionsRows({ userId }: { userId: string }) {
  const t = useTexts()
  const end = useCall(endUserSession)
  const [asked, setAsked] = useState<Session>()
  const place = useRef<HTMLDivElement>(null)
  // Never from the cache, because sessions may have started or ended.
  const sessions = useQuery(recordQuery(listUserSessions, { userId }))
  useShowRefusal(sessions.error)
  const rows = sessions.data?.sessions ?? []

  return (
    <div ref={place} tabIndex={-1}>
      <QueryTable
        query={sessions}
        texts={{ ...t, results: t.list }}
        columns={columns(t, setAsked)}
        rows={rows}
        getRowKey={({ sessionId }) => sessionId}
        leastRows={sessions.data === undefined ? USUAL_DEVICES : 1}
      />
      {asked && (
        <ReasonDialog
          title={t.title}
          about={userId}
          lead={t.question(asked.device || t.unknown, asked.address)}
          submitLabel={t.end}
          isDanger
          act={async (reason) => {
            await end.mutateAsync({ userId, sessionId: asked.sessionId, reason })
            return t.ended
          }}
          onChanged={async () => {
            await sessions.refetch()
            void invalidate(listHistory)
            // The button that was pressed is gone with its row.
            place.current?.focus()
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  )
}

function columns(t: UserSessionTexts, ask: (session: Session) => void): ListColumn<Session>[] {
  const { text, column } = columnsOf<Session, keyof typeof t.columns>(t.columns)
  const placeOf = ({ placeKnown }: Session) =>
    placeKnown ? t.known : <Badge tone="warning">{t.unknownPlace}</Badge>
  const endOf = (row: Session) => (
    <Button size="small" aria-label={t.endOf(row.device || t.unknown, row.address)} onClick={() => ask(row)}>
      {t.end}
    </Button>
  )
  return [
    column('device', ({ device }) => device || t.unknown, { isRowHeader: true }),
    text('address', { width: 200 }),
    column('placeKnown', placeOf, { width: 170 }),
    column('loggedInAt', (row) => minuteOf(row.loggedInAt), { width: 160 }),
    column('lastUsedAt', (row) => minuteOf(row.lastUsedAt), { width: 160 }),
    column('actions', endOf, { width: 120 }),
  ]
}
