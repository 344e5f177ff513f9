import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { createProgram, listPrograms, revokeProgram, rollProgram } from '../../../contract/keys.ts'
import { call } from '../../api/client.ts'
import { recordQuery } from '../../api/query.ts'
import type { GateKeeper } from '../../layout/password-gate.tsx'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { QueryTable } from '../../lists/query-table.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'
import { TokenRights } from './token-rights.tsx'
import { TokenState, useTokens } from './tokens.tsx'
import { useTokenTexts } from './token-texts.ts'

/** A program token of the user. */
type Program = OutputOf<typeof listPrograms>['programs'][number]

/** Height of the table while it loads, in rows. */
const USUAL_ROWS = 2

/**
 * Shows the user's own program tokens (rules/keys#program-tokens), to create (`createProgram`), rotate (`rollProgram`)
 * and end (`revokeProgram`). A new or rotated token needs the password re-entry if the server requires it; the new
 * token is shown once.
 */
export function ProgramRows({ guarded }: GateKeeper) {
  const { titles } = usePortalMessages()
  const t = useTokenTexts().programs
  const programs = useQuery(recordQuery(listPrograms, {}))
  useShowRefusal(programs.error)
  const tokens = useTokens<Program>({
    texts: t,
    nameOf: ({ programName }) => programName,
    nameTaken: 'PROGRAM_NAME_TAKEN',
    scopes: programs.data?.grantableScopes ?? [],
    make: async ({ name, ...values }) =>
      (await call(createProgram, { programName: name, ...values })).programToken,
    roll: async ({ programId }, values) => (await call(rollProgram, { programId, ...values })).programToken,
    end: ({ programId }) => call(revokeProgram, { programId }),
    refetch: programs.refetch,
    guarded,
  })

  return (
    <div className={layout.stack}>
      <div className={layout.row}>
        <Button variant="primary" isDisabled={programs.data === undefined} onClick={tokens.openMake}>
          {t.make}
        </Button>
        <Link to="/developer">{titles.developer}</Link>
        {programs.data?.partnerCode === '' && <span className={layout.quiet}>{t.noPartner}</span>}
      </div>
      <QueryTable
        query={programs}
        texts={t}
        columns={useColumns(tokens.actions)}
        rows={programs.data?.programs ?? []}
        getRowKey={(row) => row.programId}
        leastRows={programs.data === undefined ? USUAL_ROWS : 1}
      />
      {tokens.dialogs}
    </div>
  )
}

/**
 * Returns the columns of the program tokens.
 * @param actions renders the buttons of a row
 */
function useColumns(actions: (row: Program) => ReactNode): ListColumn<Program>[] {
  const texts = useTokenTexts()
  const t = texts.programs
  const { text, column } = columnsOf<Program, keyof typeof t.columns>(t.columns)
  return [
    text('programName', { isRowHeader: true }),
    column('state', (row) => <TokenState {...row} />, { width: 240 }),
    column('scopes', (row) => <TokenRights {...row} />, { width: 200 }),
    column('expiresAt', (row) => minuteOf(row.expiresAt), { width: 160 }),
    column('lastUsedAt', (row) => minuteOf(row.lastUsedAt) || texts.never, { width: 160 }),
    text('address', { width: 160 }),
    column('actions', actions, { width: 170 }),
  ]
}
