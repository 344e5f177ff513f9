import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeSharing, getSharing } from '../../../../contract/users.ts'
import { recordQuery, useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import type { GateKeeper } from '../../../frame/password-gate.tsx'
import { RecordStates } from '../../../forms/record-states.tsx'
import { useShowRefusal } from '../../../forms/refusal.ts'
import { Card } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import layout from '../../../ui/layout.module.css'
import { useColleagueTexts } from '../search/colleague-texts.ts'

/** 'What colleagues see' of my page (rules/colleagues#what-colleagues-see): each tick is kept at once. */
export function SharingCard({ guarded }: GateKeeper) {
  const t = useColleagueTexts().sharing
  const sharing = useQuery(recordQuery(getSharing, {}))
  const change = useCall(changeSharing)
  // As it was ticked, until the server has said what holds.
  const [wanted, setWanted] = useState<typeof sharing.data>()
  const [isSaved, setSaved] = useState(false)
  const shown = wanted ?? sharing.data
  useShowRefusal(sharing.error)
  if (shown === undefined) return <RecordStates query={sharing} {...t} />

  async function save(next: typeof shown): Promise<void> {
    if (wanted !== undefined || next === undefined) return
    setWanted(next)
    setSaved(false)
    try {
      await guarded(() => change.mutateAsync(next))
      setSaved(true)
    } catch (refusal) {
      await showRefusal(refusal)
    }
    await sharing.refetch()
    setWanted(undefined)
  }

  return (
    <Card title={t.title}>
      <p className={layout.lead}>{t.lead}</p>
      <div className={layout.stack}>
        <Checkbox
          label={t.phoneShown}
          value={shown.phoneShown}
          onChange={(phoneShown) => void save({ ...shown, phoneShown })}
        />
        <Checkbox
          label={t.emailShown}
          value={shown.emailShown}
          onChange={(emailShown) => void save({ ...shown, emailShown })}
        />
        <output className={layout.hint}>{isSaved ? t.saved : '\u00a0'}</output>
      </div>
    </Card>
  )
}
