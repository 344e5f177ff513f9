import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { closeAffiliation, reopenAffiliation } from '../../../contract/affiliations.ts'
import { prefetch, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useShowRefusal } from '../../forms/refusal.ts'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { QueryTable } from '../../lists/query-table.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { AffiliationDialog } from './affiliation-dialog.tsx'
import { useAffiliationColumns } from './columns.tsx'
import { DefaultDialog } from './default-dialog.tsx'
import { type Affiliation, affiliationsQuery, refreshAffiliations } from './lists.ts'
import { ManyDialog } from './many-dialog.tsx'
import { OrderDialog } from './order-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import layout from '../../ui/layout.module.css'

const USUAL_ROWS = 8

/** Asks for the affiliations. */
export function load(): void {
  void prefetch(affiliationsQuery)
}

/** What is open over the list. */
type Open =
  { what: 'add' | 'many' | 'order' } | { what: 'rename' | 'default'; affiliation: Affiliation } | undefined

/** /affiliation/manage (rules/affiliations#list): the affiliations, and what may be done with each. */
export default function Affiliations() {
  const { affiliations: t, titles } = usePortalMessages()
  const { language } = useLanguage()
  const nameOf = ({ name, nameEn }: Affiliation) => (language === 'ko' ? name : nameEn)
  const found = useQuery(affiliationsQuery)
  useShowRefusal(found.error)
  const close = useCall(closeAffiliation)
  const reopen = useCall(reopenAffiliation)
  const [open, setOpen] = useState<Open>()
  const shut = () => setOpen(undefined)
  const list = found.data?.affiliations ?? []

  async function toggle(affiliation: Affiliation): Promise<void> {
    const { affiliationCode, version, closed, userCount } = affiliation
    const name = nameOf(affiliation)
    const isAgreed = await dialogs.confirm(
      closed
        ? { title: t.reopen, message: t.reopenText(name) }
        : { title: t.close, message: t.closeText(name, userCount.toLocaleString()), isDanger: true },
    )
    if (!isAgreed) return
    try {
      await (closed ? reopen : close).mutateAsync({ affiliationCode, version })
    } catch (error) {
      await showRefusal(error)
    }
    await refreshAffiliations()
  }

  const columns = useAffiliationColumns({
    nameOf,
    onRename: (affiliation) => setOpen({ what: 'rename', affiliation }),
    onDefault: (affiliation) => setOpen({ what: 'default', affiliation }),
    onToggle: (affiliation) => void toggle(affiliation),
  })

  return (
    <Page
      title={titles.affiliationManage}
      actions={
        <>
          <Button isDisabled={list.length < 2} onClick={() => setOpen({ what: 'order' })}>
            {t.order}
          </Button>
          <Button onClick={() => setOpen({ what: 'many' })}>{t.many.open}</Button>
          <Button variant="primary" onClick={() => setOpen({ what: 'add' })}>
            {t.add}
          </Button>
        </>
      }
    >
      <div className={layout.stack}>
        <p>{t.lead}</p>
        <QueryTable
          query={found}
          texts={{ ...t, results: t.list }}
          columns={columns}
          rows={list}
          getRowKey={(row) => row.affiliationCode}
          leastRows={USUAL_ROWS}
        />
      </div>
      {open?.what === 'add' && <AffiliationDialog onMade={() => {}} onClose={shut} />}
      {open?.what === 'many' && <ManyDialog onClose={shut} />}
      {open?.what === 'order' && found.data !== undefined && (
        <OrderDialog {...found.data} nameOf={nameOf} onClose={shut} />
      )}
      {open?.what === 'rename' && <RenameDialog affiliation={open.affiliation} onClose={shut} />}
      {open?.what === 'default' && (
        <DefaultDialog affiliation={open.affiliation} name={nameOf(open.affiliation)} onClose={shut} />
      )}
    </Page>
  )
}
