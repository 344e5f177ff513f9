import { useRef, useState } from 'react'
import { orderAffiliations } from '../../../contract/affiliations.ts'
import { useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useCloseGuard } from '../../forms/use-leave-guard.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ArrowDownIcon, ArrowUpIcon } from '../../ui/icons.tsx'
import { Dialog } from '../../ui/lazy-dialog.tsx'
import { useAffiliationTexts } from './affiliation-texts.ts'
import { type Affiliation, refreshAffiliations } from './lists.ts'
import layout from '../../ui/layout.module.css'
import styles from './affiliations.module.css'

interface Props {
  affiliations: readonly Affiliation[]
  /** Which order that is. */
  version: string
  nameOf: (affiliation: Affiliation) => string
  onClose: () => void
}

/** Moves affiliations by buttons, a place at a time, and saves the order as a whole (rules/affiliations#order). */
export function OrderDialog({ affiliations, version, nameOf, onClose }: Props) {
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
    try {
      const affiliationCodes = order.map(({ affiliationCode }) => affiliationCode)
      await save.mutateAsync({ affiliationCodes, version })
    } catch (error) {
      await showRefusal(error)
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
