import { type listSessions, removeDevice } from '../../../../contract/account.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { usePortalMessages } from '../../../language.tsx'
import type { GateKeeper } from '../../../layout/password-gate.tsx'
import { minuteOf } from '../../../lists/columns.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import layout from '../../../ui/layout.module.css'
import { showToast } from '../../../ui/toasts.ts'
import styles from '../../account/factors.module.css'

/** Device of the user on which a login asks for no second factor. */
type TrustedDevice = OutputOf<typeof listSessions>['trustedDevices'][number]

interface Props extends GateKeeper {
  devices: readonly TrustedDevice[]
  /** Called after a removal or its refusal, so that the list is read again. */
  onRemoved: () => Promise<void>
}

/**
 * Shows the user's own devices on which a login asks for no second factor, each with a button that removes it by
 * `removeDevice`, without a question (rules/account#trusted-devices). Renders nothing without one.
 */
export function TrustedDevices({ devices, guarded, onRemoved }: Props) {
  const t = usePortalMessages().users.devices
  const call = useCall(removeDevice)
  if (devices.length === 0) return null

  async function remove({ deviceId }: TrustedDevice): Promise<void> {
    try {
      await guarded(() => call.mutateAsync({ deviceId }))
      showToast(t.removed)
    } catch (refusal) {
      await showRefusal(refusal)
    }
    await onRemoved()
  }

  return (
    <section aria-label={t.trusted}>
      <h3>{t.trusted}</h3>
      <p className={layout.quiet}>{t.trustedLead}</p>
      <ul className={styles.passkeys} aria-label={t.trusted}>
        {devices.map((one) => (
          <li key={one.deviceId}>
            <div>
              <p className={layout.row}>
                {one.device || t.unknown}
                {one.current && <Badge tone="positive">{t.current}</Badge>}
              </p>
              <p className={layout.hint}>
                {[one.address, t.used(minuteOf(one.lastUsedAt)), t.until(minuteOf(one.expiresAt))].join(
                  ' · ',
                )}
              </p>
            </div>
            <Button
              size="small"
              variant="danger"
              aria-label={t.removeOf(one.device || t.unknown)}
              onClick={() => void remove(one)}
            >
              {t.remove}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
