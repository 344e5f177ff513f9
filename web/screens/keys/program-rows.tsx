import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { createProgram, listPrograms, revokeProgram, rollProgram } from '../../../contract/keys.ts'
import { CallError } from '../../api/call-error.ts'
import { recordQuery, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import type { GateKeeper } from '../../frame/password-gate.tsx'
import { useShowRefusal } from '../../forms/refusal.ts'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { QueryTable } from '../../lists/query-table.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import layout from '../../ui/layout.module.css'
import { MakeToken, type NewToken, RollToken, type Rollover } from './token-form.tsx'
import { TokenOnce } from './token-once.tsx'
import { isInForce, TokenState } from './token-state.tsx'
import { useTokenTexts } from './token-texts.ts'

type Program = OutputOf<typeof listPrograms>['programs'][number]

const USUAL_ROWS = 2

/** Shows the user's program tokens, to create, rotate and end them. */
export function ProgramRows({ guarded }: GateKeeper) {
  const texts = useTokenTexts()
  const t = texts.programs
  const programs = useQuery(recordQuery(listPrograms, {}))
  const [asked, setAsked] = useState<'new' | Program>()
  const [token, setToken] = useState<string>()
  const make = useCall(createProgram)
  const roll = useCall(rollProgram)
  const revoke = useCall(revokeProgram)
  useShowRefusal(programs.error)
  const mayIssue = programs.data !== undefined && programs.data.partnerCode !== ''

  /** Asks for the token behind the password gate, which no dialog may cover. */
  async function ask(work: () => Promise<{ programToken: string }>): Promise<void> {
    let answer
    try {
      answer = await work()
    } catch (error) {
      if (!(error instanceof CallError && error.code === 'PASSWORD_CHECK_REQUIRED')) throw error
      setAsked(undefined)
      answer = await guarded(work).catch(showRefusal)
    }
    // The results hold the token. Only the dialog keeps it.
    make.reset()
    roll.reset()
    setAsked(undefined)
    setToken(answer?.programToken)
    await programs.refetch()
  }

  async function end({ programId, programName }: Program): Promise<void> {
    const message = t.endText(programName)
    if (!(await dialogs.confirm({ title: t.endTitle, message, isDanger: true }))) return
    await revoke.mutateAsync({ programId }).catch(showRefusal)
    await programs.refetch()
  }

  return (
    <div className={layout.stack}>
      <div className={layout.row}>
        <Button variant="primary" isDisabled={!mayIssue} onClick={() => setAsked('new')}>
          {t.make}
        </Button>
        {programs.data?.partnerCode === '' && <span className={layout.quiet}>{t.noPartner}</span>}
      </div>
      <QueryTable
        query={programs}
        texts={t}
        columns={useColumns({ roll: setAsked, end })}
        rows={programs.data?.programs ?? []}
        getRowKey={(row) => row.programId}
        leastRows={programs.data === undefined ? USUAL_ROWS : 1}
      />
      {asked === 'new' && (
        <MakeToken
          title={t.makeTitle}
          nameLabel={t.name}
          nameTaken="PROGRAM_NAME_TAKEN"
          submitLabel={t.make}
          act={({ name, validDays }: NewToken) =>
            ask(() => make.mutateAsync({ programName: name, validDays }))
          }
          onClose={() => setAsked(undefined)}
        />
      )}
      {typeof asked === 'object' && (
        <RollToken
          title={t.rollTitle(asked.programName)}
          submitLabel={texts.roll}
          act={(values: Rollover) => ask(() => roll.mutateAsync({ programId: asked.programId, ...values }))}
          onClose={() => setAsked(undefined)}
        />
      )}
      {token !== undefined && <TokenOnce title={t.title} token={token} onClose={() => setToken(undefined)} />}
    </div>
  )
}

interface Acts {
  roll: (program: Program) => void
  end: (program: Program) => Promise<void>
}

function useColumns({ roll, end }: Acts): ListColumn<Program>[] {
  const texts = useTokenTexts()
  const t = texts.programs
  const { text, column } = columnsOf<Program, keyof typeof t.columns>(t.columns)
  const acts = (row: Program) =>
    isInForce(row) && (
      <span className={layout.row}>
        <Button size="small" aria-label={t.rollTitle(row.programName)} onClick={() => roll(row)}>
          {texts.roll}
        </Button>
        <Button size="small" aria-label={t.endOf(row.programName)} onClick={() => void end(row)}>
          {t.end}
        </Button>
      </span>
    )
  return [
    text('programName', { isRowHeader: true }),
    column('state', (row) => <TokenState {...row} />, { width: 240 }),
    column('expiresAt', (row) => minuteOf(row.expiresAt), { width: 160 }),
    column('lastUsedAt', (row) => minuteOf(row.lastUsedAt) || texts.never, { width: 160 }),
    text('address', { width: 160 }),
    column('actions', acts, { width: 170 }),
  ]
}
