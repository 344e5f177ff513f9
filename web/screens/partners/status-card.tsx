import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useHasFunction } from '../../layout/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { minuteOf } from '../../lists/columns.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import layout from '../../ui/layout.module.css'
import type { PartnerRecord } from './form-values.ts'
import { PartnerBadge } from './partner-badge.tsx'
import { listPartners, resumePartner, STOP_REASON_LENGTH, stopPartner } from '../../../contract/partners.ts'
import { USER_READERS } from '../../../contract/permissions.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { undoBy } from '../../forms/undo.ts'
import { ReasonDialog } from '../keys/reason-dialog.tsx'

/** The partner and its number of keys. */
interface Props {
  record: PartnerRecord
  /** Number of keys issued in total; undefined until it is loaded. */
  keyCount: number | undefined
  /** Called after this or another user has deactivated or reactivated the partner. */
  onChanged: () => Promise<void>
}

/**
 * Shows whether a partner can be issued keys, its numbers of users and of keys (rules/partners#partner-status), as
 * links for users with permission, and the button that deactivates or reactivates it.
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

/** Permissions that open each search, for `FoundBy`; one is enough. */
const MAY = {
  '/user/search': USER_READERS,
  '/key/search': ['autho_key_search'],
} as const

/** Shows a link to the search for users or keys by the partner code; to users without such a permission only the text. */
function FoundBy(props: { to: keyof typeof MAY; partnerCode: string; children: ReactNode }) {
  const { to, partnerCode, children } = props
  if (!useHasFunction(...MAY[to])) return children
  return (
    <Link to={to} search={{ partnerCode }}>
      {children}
    </Link>
  )
}

/** The partner and the results of the dialog. */
interface StopDialogProps {
  record: PartnerRecord
  onChanged: () => Promise<void>
  onClose: () => void
}

/**
 * Shows the dialog that asks for a reason and deactivates the partner (`stopPartner`), or reactivates a deactivated one
 * (`resumePartner`). The success message offers to undo it by the opposite call.
 */
function StopDialog({ record: { partnerCode, state, stopReason }, ...close }: StopDialogProps) {
  const t = usePortalMessages().partners.status
  const isStop = state !== 'stopped'
  const stop = useCall(stopPartner)
  const resume = useCall(resumePartner)

  async function change(call: typeof stop, reason: string): Promise<void> {
    await call.mutateAsync({ partnerCode, reason })
    void invalidate(listPartners)
  }
  const undo = () => change(isStop ? resume : stop, (!isStop && stopReason) || t.undoReason)

  return (
    <ReasonDialog
      {...close}
      title={isStop ? t.stopTitle : t.resumeTitle}
      about={partnerCode}
      submitLabel={isStop ? t.stop : t.resume}
      isDanger={isStop}
      reason={{ label: t.reason, maxLength: STOP_REASON_LENGTH }}
      act={(reason) => change(isStop ? stop : resume, reason)}
      done={{ message: isStop ? t.stopped : t.resumed, undo: undoBy(undo, close.onChanged) }}
    >
      <p>{(isStop ? t.stopText : t.resumeText)(partnerCode)}</p>
    </ReasonDialog>
  )
}
