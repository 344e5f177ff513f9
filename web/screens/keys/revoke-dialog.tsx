import { listKeys, revokeKey, revokeKeys, REASON_LENGTH } from '../../../contract/keys.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { usePortalMessages } from '../../language.tsx'
import { AffectedList } from '../../ui/affected-list.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import type { KeyRow } from './key-columns.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

/**
 * Shows the dialog that asks for a reason and revokes a key (`revokeKey`). After a refusal the list is read again, and
 * the dialog stays open.
 */
export function RevokeDialog({ row, onClose }: { row: KeyRow; onClose: () => void }) {
  const t = usePortalMessages().keys.revoke
  const revoke = useCall(revokeKey)
  return (
    <ReasonDialog
      title={t.title}
      about={row.keyId}
      submitLabel={t.yes}
      isDanger
      reason={{ label: t.reason, maxLength: REASON_LENGTH }}
      act={(reason) => revoke.mutateAsync({ keyId: row.keyId, reason })}
      done={t.done}
      onChanged={() => invalidate(listKeys)}
      onClose={onClose}
    >
      <FactList
        facts={[
          [t.requester, `${row.name} (${row.userId})`],
          [t.requestKey, row.requestKey],
          [t.issuedAt, row.issuedAt],
          [t.partner, row.partnerCode],
        ]}
      />
      <p>{t.text}</p>
    </ReasonDialog>
  )
}

/** The selected keys and the results of the dialog. */
interface ManyProps {
  rows: readonly KeyRow[]
  /** Called after the keys were revoked. */
  onDone: () => void
  onClose: () => void
}

/**
 * Shows the dialog that lists the selected keys, asks for one reason, and revokes them (`revokeKeys`,
 * rules/keys#revoke-many). The success message has the number of keys that were revoked, without those that another
 * user revoked in the meantime.
 */
export function RevokeManyDialog({ rows, onDone, onClose }: ManyProps) {
  const { keys } = usePortalMessages()
  const t = keys.bulk
  const revoke = useCall(revokeKeys)
  const count = rows.length.toLocaleString()
  return (
    <ReasonDialog
      title={t.open}
      about="keys"
      submitLabel={t.yes(count)}
      isDanger
      reason={{ label: keys.revoke.reason, maxLength: REASON_LENGTH }}
      act={async (reason) => {
        const result = await revoke.mutateAsync({ keyIds: rows.map(({ keyId }) => keyId), reason })
        onDone()
        return result
      }}
      done={({ keyCount }) => t.done(keyCount.toLocaleString())}
      onChanged={() => invalidate(listKeys)}
      onClose={onClose}
    >
      <AffectedList
        title={t.list}
        total={rows.length}
        items={rows.map(({ keyId, name, userId, requestKey, issuedAt }) => ({
          id: keyId,
          text: `${name} (${userId})`,
          note: `${requestKey} · ${issuedAt}`,
        }))}
        more={t.more}
      />
      <p>{t.text(count)}</p>
    </ReasonDialog>
  )
}
