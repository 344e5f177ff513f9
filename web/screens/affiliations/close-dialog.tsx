import { useState } from 'react'
import { closeAffiliations } from '../../../contract/affiliations.ts'
import { useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { Dialog } from '../../ui/lazy-dialog.tsx'
import { useAffiliationTexts } from './affiliation-texts.ts'
import { type Affiliation, refreshAffiliations } from './lists.ts'
import layout from '../../ui/layout.module.css'
import styles from './affiliations.module.css'

interface Props {
  affiliations: readonly Affiliation[]
  nameOf: (affiliation: Affiliation) => string
  onClose: () => void
  /** Called after the change, so that the list is read again. */
  onDone: () => void
}

/** Closes several affiliations (rules/affiliations#close). None is preselected: an unused one may be a real branch. */
export function CloseDialog({ affiliations, nameOf, onClose, onDone }: Props) {
  const texts = useAffiliationTexts()
  const { forms } = usePortalMessages()
  const t = texts.closeMany
  const close = useCall(closeAffiliations)
  const [isPending, setPending] = useState(false)
  const rows = affiliations.filter(({ closed }) => !closed)
  const [ticked, setTicked] = useState<string[]>([])
  // An affiliation that another user closed in the meantime is no longer among the rows.
  const chosen = rows.filter(({ affiliationCode }) => ticked.includes(affiliationCode))

  async function submit(): Promise<void> {
    setPending(true)
    try {
      await close.mutateAsync({
        affiliations: chosen.map(({ affiliationCode, version }) => ({ affiliationCode, version })),
      })
      onClose()
      await dialogs.alert({ tone: 'success', message: t.done(chosen.length) })
    } catch (error) {
      await showRefusal(error)
      // The selection stays, above the updated list. Wait for the list, or another attempt would be refused again.
      await refreshAffiliations()
      return setPending(false)
    }
    await refreshAffiliations()
    onDone()
  }

  return (
    <Dialog
      title={t.title}
      closeLabel={forms.close}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{forms.cancel}</Button>
          <Button
            variant="danger"
            isDisabled={chosen.length === 0}
            isPending={isPending}
            onClick={() => void submit()}
          >
            {t.submit(chosen.length)}
          </Button>
        </>
      }
    >
      <p className={layout.lead}>{t.lead}</p>
      <ul className={styles.order} aria-label={texts.list}>
        {rows.map((row) => (
          <li key={row.affiliationCode}>
            <span className={styles.orderName} title={nameOf(row)}>
              <Checkbox
                label={nameOf(row)}
                value={chosen.includes(row)}
                onChange={(isChosen) =>
                  setTicked(
                    isChosen
                      ? [...ticked, row.affiliationCode]
                      : ticked.filter((code) => code !== row.affiliationCode),
                  )
                }
              />
            </span>
            <span className={layout.hint}>
              {t.uses(row.userCount.toLocaleString(), row.partnerCount.toLocaleString())}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
