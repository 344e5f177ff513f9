import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { createAccountToken, revokeAccountToken, rollAccountToken } from '../../../contract/keys.ts'
import { call } from '../../api/client.ts'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { QueryTable } from '../../lists/query-table.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useProgramAccountTexts } from './program-account-texts.ts'
import type { ProgramAccount } from './program-accounts.page.tsx'
import { TokenState, useTokens } from './tokens.tsx'
import { useTokenTexts } from './token-texts.ts'

/** A token of a program account. */
type AccountToken = ProgramAccount['tokens'][number]

/** The account and the query that has read it, which `refetch` repeats. */
interface Props {
  account: ProgramAccount
  query: UseQueryResult
  refetch: () => Promise<unknown>
}

/**
 * Shows the tokens of a program account, to rotate (`rollAccountToken`) and end (`revokeAccountToken`), and to create
 * (`createAccountToken`) if the user may edit the account. Receives the focus when it opens. Shows a new token once.
 */
export function AccountTokens({ account, query, refetch }: Props) {
  const { tokensOf, tokenName } = useProgramAccountTexts()
  const { programs } = useTokenTexts()
  const t = { ...programs, name: tokenName }
  const card = useRef<HTMLElement>(null)
  useEffect(() => card.current?.focus(), [])
  const { accountId, programName, tokens: rows } = account
  const tokens = useTokens<AccountToken>({
    texts: t,
    nameOf: (row) => row.tokenName,
    nameTaken: 'PROGRAM_NAME_TAKEN',
    make: async ({ name, validDays }) =>
      (await call(createAccountToken, { accountId, tokenName: name, validDays })).programToken,
    roll: async ({ tokenId }, values) => (await call(rollAccountToken, { tokenId, ...values })).programToken,
    end: ({ tokenId }) => call(revokeAccountToken, { tokenId }),
    refetch,
  })
  return (
    <Card
      ref={card}
      title={tokensOf(programName)}
      actions={
        account.editable && (
          <Button size="small" variant="primary" onClick={tokens.openMake}>
            {t.make}
          </Button>
        )
      }
    >
      <QueryTable
        query={query}
        texts={t}
        columns={useColumns(tokens.actions)}
        rows={rows}
        getRowKey={(row) => row.tokenId}
        leastRows={1}
      />
      {tokens.dialogs}
    </Card>
  )
}

/**
 * Returns the columns of the tokens.
 * @param actions renders the buttons of a row
 */
function useColumns(actions: (row: AccountToken) => ReactNode): ListColumn<AccountToken>[] {
  const { tokenName } = useProgramAccountTexts()
  const { never, programs } = useTokenTexts()
  const titles = { ...programs.columns, tokenName }
  const { text, column } = columnsOf<AccountToken, keyof typeof titles>(titles)
  return [
    text('tokenName', { isRowHeader: true }),
    column('state', (row) => <TokenState {...row} />, { width: 240 }),
    column('expiresAt', (row) => minuteOf(row.expiresAt), { width: 160 }),
    column('lastUsedAt', (row) => minuteOf(row.lastUsedAt) || never, { width: 160 }),
    text('address', { width: 160 }),
    column('actions', actions, { width: 170 }),
  ]
}
