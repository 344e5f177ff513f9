import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { FunctionName } from '../../../contract/permissions.ts'
import { usePortalMessages } from '../../language.tsx'
import { minuteOf } from '../../lists/columns.ts'
import { isKnownToHold } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import layout from '../../ui/layout.module.css'
import type { PartnerRecord } from './form-values.ts'
import { PartnerBadge } from './partner-badge.tsx'
import { StopDialog } from './stop-dialog.tsx'

interface Props {
  record: PartnerRecord
  /** Keys issued in all, once that is known. */
  keyCount: number | undefined
  /** The partner was stopped or goes on, by this person or somebody else. */
  onChanged: () => Promise<void>
}

/**
 * Whether a partner is issued keys, who belongs to it and what it was issued, each a link for those who may open it
 * (rules/partners#partner-status), and the switch that stops it.
 */
export function StatusCard({ record, keyCount, onChanged }: Props) {
  const t = usePortalMessages().partners.status
  const [isAsking, setAsking] = useState(false)
  const { partnerCode, stoppedAt, userCount, withdrawnCount } = record
  const isStopped = record.state === 'stopped'
  const search = { partnerCode }
  return (
    <>
      <Card
        title={t.title}
        actions={
          <Button size="small" onClick={() => setAsking(true)}>
            {isStopped ? t.resume : t.stop}
          </Button>
        }
      >
        <FactList
          facts={[
            [
              t.state,
              <span key="state" className={layout.row}>
                <PartnerBadge state={record.state} isWhole />
                {isStopped && t.since(minuteOf(stoppedAt))}
              </span>,
            ],
            [
              t.users,
              <span key="users" className={layout.row}>
                <LinkFor
                  may="autho_user_manage"
                  link={(text) => (
                    <Link to="/user/search" search={search}>
                      {text}
                    </Link>
                  )}
                >
                  {t.userCount(userCount.toLocaleString())}
                </LinkFor>
                {withdrawnCount > 0 && (
                  <span className={layout.quiet}>{t.withdrawn(withdrawnCount.toLocaleString())}</span>
                )}
              </span>,
            ],
            [
              t.keys,
              keyCount === undefined ? (
                '…'
              ) : (
                <LinkFor
                  key="keys"
                  may="autho_key_search"
                  link={(text) => (
                    <Link to="/key/search" search={search}>
                      {text}
                    </Link>
                  )}
                >
                  {t.keyCount(keyCount.toLocaleString())}
                </LinkFor>
              ),
            ],
          ]}
        />
      </Card>
      {isAsking && <StopDialog record={record} onChanged={onChanged} onClose={() => setAsking(false)} />}
    </>
  )
}

/** A link for those who may open where it leads; for others its text. */
function LinkFor(props: { may: FunctionName; link: (text: ReactNode) => ReactNode; children: ReactNode }) {
  return isKnownToHold(props.may) ? props.link(props.children) : props.children
}
