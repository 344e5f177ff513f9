import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useHasFunction } from '../../frame/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { minuteOf } from '../../lists/columns.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import layout from '../../ui/layout.module.css'
import type { PartnerRecord } from './form-values.ts'
import { PartnerBadge } from './partner-badge.tsx'
import { StopDialog } from './stop-dialog.tsx'

interface Props {
  record: PartnerRecord
  /** Number of keys issued in total; undefined until it is loaded. */
  keyCount: number | undefined
  /** Called after this or another user has deactivated or reactivated the partner. */
  onChanged: () => Promise<void>
}

/**
 * Shows whether a partner can be issued keys, its users and its keys, with links for users with permission
 * (rules/partners#partner-status), and the switch that deactivates it.
 */
export function StatusCard({ record, keyCount, onChanged }: Props) {
  const t = usePortalMessages().partners.status
  const [isAsking, setAsking] = useState(false)
  const { partnerCode, stoppedAt, stopReason, userCount, withdrawnCount } = record
  const isStopped = record.state === 'stopped'
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
                {isStopped && (
                  <span>
                    {t.since(minuteOf(stoppedAt))}
                    {stopReason !== undefined && (
                      <span className={layout.quiet}> · {t.stoppedFor(stopReason)}</span>
                    )}
                  </span>
                )}
              </span>,
            ],
            [
              t.users,
              <span key="users" className={layout.row}>
                <FoundBy to="/user/search" partnerCode={partnerCode}>
                  {t.userCount(userCount.toLocaleString())}
                </FoundBy>
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
                <FoundBy key="keys" to="/key/search" partnerCode={partnerCode}>
                  {t.keyCount(keyCount.toLocaleString())}
                </FoundBy>
              ),
            ],
          ]}
        />
      </Card>
      {isAsking && <StopDialog record={record} onChanged={onChanged} onClose={() => setAsking(false)} />}
    </>
  )
}

const MAY = { '/user/search': 'autho_user_manage', '/key/search': 'autho_key_search' } as const

/** A link to a search by the partner code, for users with permission. Other users see the text only. */
function FoundBy(props: { to: keyof typeof MAY; partnerCode: string; children: ReactNode }) {
  const { to, partnerCode, children } = props
  if (!useHasFunction(MAY[to])) return children
  return (
    <Link to={to} search={{ partnerCode }}>
      {children}
    </Link>
  )
}
