import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { closeAffiliation, type listAffiliations, reopenAffiliation } from '../../../contract/affiliations.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { call } from '../../api/client.ts'
import { prefetch } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { QueryTable } from '../../lists/query-table.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { useLazyPart } from '../../ui/use-lazy-part.ts'
import { History } from '../audit/history.tsx'
import { useAffiliationTexts } from './affiliation-texts.ts'
import { useAffiliationColumns } from './columns.tsx'
import { type Affiliation, affiliationsQuery, inTree, refreshAffiliations } from './lists.ts'
import layout from '../../ui/layout.module.css'

/** Rows of the table while it is loading. */
const USUAL_ROWS = 8

/** Loads the dialogs of the page, all together. */
const loadDialogs = () => import('./dialogs.ts')

/** Prefetches the affiliations. */
export function load(): void {
  void prefetch(affiliationsQuery)
}

/** The dialog that is open over the list. */
type Open =
  | { what: 'add' | 'many' | 'order' | 'close' }
  | { what: 'rename' | 'parent' | 'default'; affiliation: Affiliation }
  | undefined

/**
 * Shows the page /affiliation/manage (rules/affiliations#list): all affiliations in a tree with their actions, and
 * their history. Buttons open the dialogs to add, order, rename and move, or close and reopen one after a question.
 * Warns about open affiliations without a default partner code, and offers to close several.
 */
export default function Affiliations() {
  const t = useAffiliationTexts()
  const { titles } = usePortalMessages()
  const { language } = useLanguage()
  const nameOf = ({ name, nameEn }: Affiliation) => (language === 'ko' ? name : nameEn)
  const found = useQuery(affiliationsQuery)
  useShowRefusal(found.error)
  const [open, setOpen] = useState<Open>()
  const place = useRef<HTMLDivElement>(null)
  const parts = useLazyPart(loadDialogs)
  const show = (what: Open) => {
    setOpen(what)
    parts.open()
  }
  const shut = () => {
    setOpen(undefined)
    parts.close()
  }
  const list = inTree(found.data?.affiliations ?? [])
  const lacking = list.filter(({ closed, partnerCode }) => !closed && partnerCode === '')

  async function toggle(affiliation: Affiliation): Promise<void> {
    const { affiliationCode, version, closed, userCount } = affiliation
    const name = nameOf(affiliation)
    const isAgreed = await dialogs.confirm(
      closed
        ? { title: t.reopen, message: t.reopenText(name) }
        : { title: t.close, message: t.closeText(name, userCount.toLocaleString()), isDanger: true },
    )
    if (!isAgreed) return
    await call(closed ? reopenAffiliation : closeAffiliation, { affiliationCode, version }).catch(showRefusal)
    await refreshAffiliations()
  }

  const columns = useAffiliationColumns({
    nameOf,
    onRename: (affiliation) => show({ what: 'rename', affiliation }),
    onParent: (affiliation) => show({ what: 'parent', affiliation }),
    onDefault: (affiliation) => show({ what: 'default', affiliation }),
    onToggle: (affiliation) => void toggle(affiliation),
  })

  return (
    <Page
      title={titles.affiliationManage}
      actions={
        <>
          <Button isDisabled={list.length < 2} onClick={() => show({ what: 'order' })}>
            {t.order}
          </Button>
          <Button onClick={() => show({ what: 'many' })}>{t.addMany}</Button>
          <Button variant="primary" onClick={() => show({ what: 'add' })}>
            {t.add}
          </Button>
        </>
      }
    >
      <div ref={place} tabIndex={-1} className={layout.stack}>
        <p>{t.lead}</p>
        {lacking.length > 0 && (
          <div className={layout.row}>
            <p className={layout.warning}>
              {t.lacking(lacking.length)} {lacking.some(isUnused) && t.samples}
            </p>
            <Button size="small" onClick={() => show({ what: 'close' })}>
              {t.closeMany.open}
            </Button>
          </div>
        )}
        <QueryTable
          query={found}
          texts={{ ...t, results: t.list }}
          columns={columns}
          rows={list}
          getRowKey={(row) => row.affiliationCode}
          leastRows={USUAL_ROWS}
        />
      </div>
      <History recordKind="affiliation" />
      {parts.opened !== undefined && open !== undefined && (
        <Opened
          {...open}
          parts={parts.opened}
          nameOf={nameOf}
          list={found.data}
          onClose={shut}
          // The line with the button may be gone, and the keyboard focus with it.
          onDone={() => place.current?.focus()}
        />
      )}
    </Page>
  )
}

/** Returns whether no account, partner or key refers to an affiliation. The caller's own one is always used. */
const isUnused = ({ userCount, partnerCount, keyCount }: Affiliation) =>
  userCount + partnerCount + keyCount === 0

interface OpenedProps {
  parts: Awaited<ReturnType<typeof loadDialogs>>
  nameOf: (affiliation: Affiliation) => string
  list: OutputOf<typeof listAffiliations> | undefined
  onClose: () => void
  onDone: () => void
}

/**
 * Shows the dialog that is open over the list. An affiliation without partner codes gets the dialog that creates one
 * instead of the choice of the default.
 */
function Opened({ parts, nameOf, list, onClose, onDone, ...open }: OpenedProps & NonNullable<Open>) {
  const {
    AffiliationDialog,
    CloseDialog,
    DefaultDialog,
    ManyDialog,
    OrderDialog,
    ParentDialog,
    PartnerDialog,
    RenameDialog,
  } = parts
  switch (open.what) {
    case 'add':
      return <AffiliationDialog onMade={() => {}} onClose={onClose} />
    case 'many':
      return <ManyDialog present={list?.affiliations ?? []} onClose={onClose} />
    case 'close':
      return list && <CloseDialog {...list} nameOf={nameOf} onClose={onClose} onDone={onDone} />
    case 'order':
      return list && <OrderDialog {...list} nameOf={nameOf} onClose={onClose} />
    case 'rename':
      return <RenameDialog affiliation={open.affiliation} onClose={onClose} />
    case 'parent':
      return (
        list && (
          <ParentDialog
            affiliation={open.affiliation}
            affiliations={inTree(list.affiliations)}
            nameOf={nameOf}
            onClose={onClose}
          />
        )
      )
    case 'default':
      // Nothing to choose from: the first one is the default by itself.
      return open.affiliation.partnerCount === 0 ? (
        <PartnerDialog affiliation={open.affiliation.affiliationCode} onMade={() => {}} onClose={onClose} />
      ) : (
        <DefaultDialog affiliation={open.affiliation} name={nameOf(open.affiliation)} onClose={onClose} />
      )
  }
}
