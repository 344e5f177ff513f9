import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { deleteProgramAccount, listProgramAccounts } from '../../../contract/keys.ts'
import { call } from '../../api/client.ts'
import { prefetch, query } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { QueryTable } from '../../lists/query-table.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import layout from '../../ui/layout.module.css'
import { AccountTokens } from './account-tokens.tsx'
import { ProgramAccountDialog } from './program-account-dialog.tsx'
import { useProgramAccountTexts } from './program-account-texts.ts'
import { TokenRights } from './token-rights.tsx'
import { isInForce } from './tokens.tsx'
import { useTokenTexts } from './token-texts.ts'

/** The accounts, and the roles and scopes that the user may give. */
type Answer = OutputOf<typeof listProgramAccounts>
/** A program account as the list shows it. */
export type ProgramAccount = Answer['accounts'][number]

/** Height of the table while it loads, in rows. */
const USUAL_ROWS = 3

/** Badge tones of the states of an account. */
const TONES = { live: 'positive', soon: 'warning', expired: 'danger', off: 'neutral' } as const

/** Query for the program accounts. */
const accountsQuery = query(listProgramAccounts, {})

/** Prefetches the program accounts. */
export function load(): void {
  void prefetch(accountsQuery)
}

/**
 * The page /integration (rules/keys#program-accounts): the accounts of programs that call the API on their own, to
 * register and edit, to delete after a question (`deleteProgramAccount`), and the tokens of the account that the user
 * opens. Accounts above the user have no buttons to edit and delete.
 */
export default function ProgramAccounts() {
  const { titles } = usePortalMessages()
  const t = useProgramAccountTexts()
  const found = useQuery(accountsQuery)
  useShowRefusal(found.error)
  const [edited, setEdited] = useState<ProgramAccount | 'new'>()
  const [openedId, setOpenedId] = useState<string>()
  const createButton = useRef<HTMLButtonElement>(null)
  const accounts = found.data?.accounts ?? []
  const opened = accounts.find(({ accountId }) => accountId === openedId)

  /** Closes the dialog, reads the list again, and opens the tokens of a new account. */
  async function finish(newId?: string): Promise<void> {
    setEdited(undefined)
    await found.refetch()
    if (newId !== undefined) setOpenedId(newId)
  }

  /** Deletes an account after a question, and reads the list again. Shows a refusal in an alert. */
  async function remove({ accountId, programName }: ProgramAccount): Promise<void> {
    const title = t.removeOf(programName)
    if (!(await dialogs.confirm({ title, message: t.removeText(programName), isDanger: true }))) return
    await call(deleteProgramAccount, { accountId }).catch(showRefusal)
    await found.refetch()
    // The button of the row is gone.
    createButton.current?.focus()
  }

  return (
    <Page
      title={titles.programAccounts}
      actions={
        <Button
          ref={createButton}
          variant="primary"
          isDisabled={found.data === undefined}
          onClick={() => setEdited('new')}
        >
          {t.create}
        </Button>
      }
    >
      <div className={layout.parts}>
        <p>{t.lead}</p>
        <QueryTable
          query={found}
          texts={t}
          columns={useColumns({ edit: setEdited, remove: (row) => void remove(row), open: setOpenedId })}
          rows={accounts}
          getRowKey={(row) => row.accountId}
          leastRows={found.data === undefined ? USUAL_ROWS : 1}
        />
        {opened !== undefined && (
          <AccountTokens key={opened.accountId} account={opened} refetch={found.refetch} query={found} />
        )}
      </div>
      {edited !== undefined && found.data !== undefined && (
        <ProgramAccountDialog
          row={edited === 'new' ? null : edited}
          roles={found.data.roles}
          scopes={found.data.grantableScopes}
          onDone={finish}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  )
}

/** Actions on an account. */
interface Actions {
  edit: (row: ProgramAccount) => void
  remove: (row: ProgramAccount) => void
  open: (accountId: string) => void
}

/** Returns the columns of the program accounts, with buttons that edit, delete or open the tokens of an account. */
function useColumns({ edit, remove, open }: Actions): ListColumn<ProgramAccount>[] {
  const t = useProgramAccountTexts()
  const { never } = useTokenTexts()
  const { column } = columnsOf<ProgramAccount, keyof typeof t.columns>(t.columns)
  const state = (row: ProgramAccount) => (
    <span className={layout.row}>
      <Badge tone={TONES[row.state]}>{t.states[row.state]}</Badge>
      {row.validTo !== '' && <span className={layout.hint}>{t.until(row.validTo)}</span>}
    </span>
  )
  const role = (row: ProgramAccount) => (
    <>
      {row.roleName}
      <div className={layout.hint}>{row.affiliationName}</div>
    </>
  )
  const tokens = ({ accountId, programName, tokens: all }: ProgramAccount) => {
    const count = all.filter(isInForce).length
    return (
      <Button size="small" aria-label={t.openTokensOf(programName, count)} onClick={() => open(accountId)}>
        {t.openTokens(count)}
      </Button>
    )
  }
  const actions = (row: ProgramAccount) =>
    row.editable && (
      <span className={layout.row}>
        <Button size="small" aria-label={t.editOf(row.programName)} onClick={() => edit(row)}>
          {t.edit}
        </Button>
        <Button size="small" aria-label={t.removeOf(row.programName)} onClick={() => remove(row)}>
          {t.remove}
        </Button>
      </span>
    )
  return [
    column('programName', (row) => row.programName, { isRowHeader: true }),
    column('state', state, { width: 190 }),
    column('roleName', role, { width: 160 }),
    column('scopes', (row) => <TokenRights {...row} />, { width: 240, wraps: 'words' }),
    column('tokens', tokens, { width: 110 }),
    column('lastUsedAt', (row) => minuteOf(row.lastUsedAt) || never, { width: 150 }),
    column('actions', actions, { width: 160 }),
  ]
}
