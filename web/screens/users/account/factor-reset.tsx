import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { listHistory } from '../../../../contract/audit.ts'
import { getFactorReset } from '../../../../contract/users.ts'
import { invalidate, recordQuery } from '../../../api/query.ts'
import { LoadFailed } from '../../../forms/load-failed.tsx'
import { minuteOf } from '../../../lists/columns.ts'
import { Button } from '../../../ui/button.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import layout from '../../../ui/layout.module.css'
import { FactorResetDialog, type ResetAct } from './factor-reset-dialog.tsx'
import { useFactorResetTexts } from './factor-reset-texts.ts'

/** Shows a user's second factors to administrators: one requests a reset, and another confirms it (rules/users#factor-reset). */
export function FactorReset({ userId }: { userId: string }) {
  const t = useFactorResetTexts()
  const found = useQuery(recordQuery(getFactorReset, { userId }))
  const [open, setOpen] = useState<ResetAct>()
  const place = useRef<HTMLDivElement>(null)
  const { data } = found
  const reset = data?.reset

  async function onChanged(): Promise<void> {
    await found.refetch()
    void invalidate(listHistory)
    // The pressed button may have been removed with its subject.
    place.current?.focus()
  }
  const button = (act: ResetAct, variant?: 'primary' | 'danger') => (
    <Button size="small" variant={variant} onClick={() => setOpen(act)}>
      {t[act].open}
    </Button>
  )

  return (
    <div ref={place} tabIndex={-1} className={layout.stack}>
      {data !== undefined ? (
        <>
          <p>{data.hasFactor ? t.has : t.hasNone}</p>
          {reset !== undefined && (
            <FactList
              facts={[
                [t.state, reset.ownRequest ? t.waitsForOther : t.waitsForYou],
                [t.asker, `${reset.askerName} (${reset.askerId})`],
                [t.reason, reset.reason],
                [t.askedAt, minuteOf(reset.askedAt)],
                [t.expiresAt, minuteOf(reset.expiresAt)],
              ]}
            />
          )}
          {data.hasFactor && !data.ownFactor && <p className={layout.warning}>{t.noFactor}</p>}
          {data.hasFactor && data.involved && <p className={layout.warning}>{t.involved}</p>}
          {data.hasFactor && data.passwordEnds && <p className={layout.warning}>{t.passwordEnds}</p>}
          {reset?.mayConfirm === false && !reset.ownRequest && !data.involved && (
            <p className={layout.warning}>{t.related}</p>
          )}
          {data.alone && data.hasFactor && !data.involved && (
            <p className={layout.warning}>{t.alone(userId)}</p>
          )}
          <div className={layout.row}>
            {reset === undefined && data.hasFactor && !data.alone && data.ownFactor && button('ask')}
            {reset?.ownRequest === true && button('withdraw')}
            {reset?.ownRequest === false &&
              reset.mayConfirm &&
              data.ownFactor &&
              button('confirm', 'primary')}
            {reset?.ownRequest === false && button('refuse', 'danger')}
          </div>
        </>
      ) : found.isError ? (
        <LoadFailed query={found} message={t.failed} />
      ) : (
        <output className={layout.quiet}>{t.loading}</output>
      )}
      {open !== undefined && (
        <FactorResetDialog
          act={open}
          userId={userId}
          resetId={reset?.resetId ?? ''}
          onChanged={onChanged}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}
