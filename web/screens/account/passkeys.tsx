import { useState } from 'react'
import { beginPasskey, confirmPasskey, removePasskey } from '../../../contract/account/passkeys.ts'
import type { getFactors } from '../../../contract/account/second-factor.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { call } from '../../api/client.ts'
import { minuteOf } from '../../lists/columns.ts'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import layout from '../../ui/layout.module.css'
import { FactorPart } from './factor-part.tsx'
import styles from './factors.module.css'
import { obstacleAt } from './passkey-device.ts'
import { usePasskeyTexts } from './passkey-texts.ts'
import { RenamePasskey, SetUpPasskey } from './set-up-passkey.tsx'
import { showToast } from '../../ui/toasts.ts'

/** The user's passkeys, and the origin at which the portal has them ('' for none). */
type Found = Pick<OutputOf<typeof getFactors>, 'passkeys' | 'passkeysAt'>

/** The passkeys and the ways to change them. */
interface Props extends Found {
  /**
   * Makes a change behind the password re-entry, then reads the factors again. Returns undefined after a refusal, which
   * it shows.
   */
  change: <T>(work: () => Promise<T>) => Promise<T | undefined>
  /** Makes the last step of a setup, closes its dialog, and shows `added`, or the new recovery codes. */
  finish: (
    work: () => Promise<{ recoveryCodes: string[] }>,
    close: () => void,
    added: string,
  ) => Promise<void>
  /** Reads the factors again. */
  refresh: () => Promise<unknown>
}

/**
 * Shows the user's passkeys (rules/account#passkeys), to add (`beginPasskey`, `confirmPasskey`), rename, and after a
 * question remove (`removePasskey`). Explains instead of the add button why this page cannot use any.
 */
export function Passkeys({ passkeys, passkeysAt, change, finish, refresh }: Props) {
  const t = usePasskeyTexts()
  const [begun, setBegun] = useState<OutputOf<typeof beginPasskey>>()
  const [renamed, setRenamed] = useState<Found['passkeys'][number]>()
  const obstacle = obstacleAt(passkeysAt)

  async function remove({ passkeyId, passkeyName }: Found['passkeys'][number]): Promise<void> {
    const question = { title: t.removeTitle, message: t.removeText(passkeyName), isDanger: true }
    if (!(await dialogs.confirm(question))) return
    if ((await change(() => call(removePasskey, { passkeyId }))) !== undefined) showToast(t.removed)
  }

  return (
    <>
      <FactorPart
        title={t.title}
        lead={t.lead}
        state={passkeys.length === 0 ? t.none : t.count(passkeys.length)}
        warning={obstacle && (obstacle === 'elsewhere' ? t.elsewhere(passkeysAt) : t[obstacle])}
        actions={
          obstacle === undefined && (
            <Button
              size="small"
              variant={passkeys.length === 0 ? 'primary' : 'secondary'}
              onClick={() => void change(() => call(beginPasskey, {})).then(setBegun)}
            >
              {t.add}
            </Button>
          )
        }
      >
        {passkeys.length > 0 && (
          <ul className={styles.passkeys} aria-label={t.list}>
            {passkeys.map((one) => (
              <li key={one.passkeyId}>
                <div>
                  <p>{one.passkeyName}</p>
                  <p className={layout.hint}>
                    {t.since(minuteOf(one.createdAt))} · {t.lastUsed(minuteOf(one.lastUsedAt))}
                  </p>
                  {!one.usable && passkeysAt !== '' && <p className={layout.warning}>{t.unusable}</p>}
                </div>
                <div className={layout.row}>
                  <Button
                    size="small"
                    aria-label={t.renameOf(one.passkeyName)}
                    onClick={() => setRenamed(one)}
                  >
                    {t.rename}
                  </Button>
                  <Button
                    size="small"
                    variant="danger"
                    aria-label={t.removeOf(one.passkeyName)}
                    onClick={() => void remove(one)}
                  >
                    {t.remove}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </FactorPart>
      {begun !== undefined && (
        <SetUpPasskey
          begun={begun}
          act={(passkeyName, proof) =>
            finish(
              () => call(confirmPasskey, { passkeyName, proof }),
              () => setBegun(undefined),
              t.added,
            )
          }
          onClose={() => setBegun(undefined)}
        />
      )}
      {renamed !== undefined && (
        <RenamePasskey passkey={renamed} onDone={refresh} onClose={() => setRenamed(undefined)} />
      )}
    </>
  )
}
