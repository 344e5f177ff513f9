import { useRef, useState } from 'react'
import { closeAffiliations, orderAffiliations } from '../../../contract/affiliations.ts'
import { CallError } from '../../api/call-error.ts'
import { useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useCloseGuard } from '../../forms/use-leave-guard.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { ArrowDownIcon, ArrowUpIcon } from '../../ui/icons.tsx'
import { Dialog } from '../../ui/lazy-dialog.tsx'
import { useAffiliationTexts } from './affiliation-texts.ts'
import { type Affiliation, refreshAffiliations } from './lists.ts'
import layout from '../../ui/layout.module.css'
import styles from './affiliations.module.css'
import { showToast } from '../../ui/toasts.ts'

interface OrderProps {
  affiliations: readonly Affiliation[]
  /** Version of the saved order. */
  version: string
  nameOf: (affiliation: Affiliation) => string
  onClose: () => void
}

/**
 * Shows a dialog that moves affiliations up or down by one position, and saves the order as a whole by
 * `orderAffiliations` (rules/affiliations#order). Closes after a save or its refusal. Asks before it closes with an
 * unsaved order.
 */
export function OrderDialog({ affiliations, version, nameOf, onClose }: OrderProps) {
  const t = useAffiliationTexts()
  const { forms } = usePortalMessages()
  const save = useCall(orderAffiliations)
  const [order, setOrder] = useState(affiliations)
  const [told, setTold] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const [before] = useState(affiliations)
  const isMoved = order.some((row, place) => row !== before[place])
  const close = useCloseGuard(isMoved, onClose, save.isPending)

  function move(row: Affiliation, step: 1 | -1): void {
    const from = order.indexOf(row)
    const to = from + step
    if (to < 0 || to >= order.length) return
    setOrder(order.with(from, order[to] ?? row).with(to, row))
    setTold(t.moved(nameOf(row), to + 1))
    // The row takes its buttons along, and a browser drops the focus of what is moved.
    const name = step === 1 ? 'down' : 'up'
    requestAnimationFrame(() => {
      list.current
        ?.querySelector<HTMLElement>(`[data-code="${row.affiliationCode}"] [data-move="${name}"]`)
        ?.focus()
    })
  }

  async function submit(): Promise<void> {
    const affiliationCodes = order.map(({ affiliationCode }) => affiliationCode)
    try {
      await save.mutateAsync({ affiliationCodes, version })
    } catch (error) {
      await showRefusal(error)
      // Another save has changed the affiliations, so the user orders the new list. Otherwise the order can be saved again.
      if (!(error instanceof CallError && error.code === 'RECORD_CHANGED')) return
    }
    onClose()
    await refreshAffiliations()
  }

  return (
    <Dialog
      title={t.order}
      closeLabel={forms.close}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{forms.cancel}</Button>
          <Button variant="primary" isPending={save.isPending} onClick={() => void submit()}>
            {t.save}
          </Button>
        </>
      }
    >
      <p className={layout.lead}>{t.orderLead}</p>
      <ol ref={list} className={styles.order} aria-label={t.orderList}>
        {order.map((row) => (
          <li key={row.affiliationCode} data-code={row.affiliationCode}>
            <span className={styles.orderName} title={nameOf(row)}>
              {nameOf(row)}
            </span>
            {row.closed && <Badge>{t.closed}</Badge>}
            <Button
              size="small"
              isIcon
              data-move="up"
              aria-label={t.moveUp(nameOf(row))}
              onClick={() => move(row, -1)}
            >
              <ArrowUpIcon size={16} />
            </Button>
            <Button
              size="small"
              isIcon
              data-move="down"
              aria-label={t.moveDown(nameOf(row))}
              onClick={() => move(row, 1)}
            >
              <ArrowDownIcon size={16} />
            </Button>
          </li>
        ))}
      </ol>
      <output className="visually-hidden">{told}</output>
    </Dialog>
  )
}

interface CloseProps {
  affiliations: readonly Affiliation[]
  nameOf: (affiliation: Affiliation) => string
  onClose: () => void
  /** Called after the change, so that the list is read again. */
  onDone: () => void
}

/**
 * Shows a dialog that closes several open affiliations by `closeAffiliations`, after a question
 * (rules/affiliations#close). None is preselected: an unused one may be a real branch. After a refusal it stays open
 * with the selection.
 */
export function CloseDialog({ affiliations, nameOf, onClose, onDone }: CloseProps) {
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
    const userCount = chosen.reduce((sum, row) => sum + row.userCount, 0)
    const message = t.ask(chosen.map(nameOf).join(', '), chosen.length, userCount.toLocaleString())
    if (!(await dialogs.confirm({ title: t.title, message, isDanger: true }))) return
    setPending(true)
    try {
      await close.mutateAsync({
        affiliations: chosen.map(({ affiliationCode, version }) => ({ affiliationCode, version })),
      })
      onClose()
      showToast(t.done(chosen.length))
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
