import { useState, type ReactNode } from 'react'
import type { TokenTexts } from '../../../contract/messages/ko/tokens.ts'
import { CallError, type CallErrorCode } from '../../api/call-error.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import type { GateKeeper } from '../../layout/password-gate.tsx'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import layout from '../../ui/layout.module.css'
import * as z from 'zod/mini'
import {
  OVERLAP_DAYS,
  TOKEN_DAYS,
  TOKEN_NAME_LENGTH,
  tokenName,
  type TOKEN_STATES,
} from '../../../contract/keys.ts'
import { type Scope, SCOPES } from '../../../contract/scopes.ts'
import { TokenOnce } from './token-once.tsx'
import { useTokenTexts } from './token-texts.ts'
import { networksText, RightsFields } from './token-rights.tsx'
import { BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import { minuteOf } from '../../lists/columns.ts'
import { Badge } from '../../ui/badge.tsx'

/** A list of tokens, and the calls that change it. */
interface TokenList<Row> {
  texts: Pick<
    TokenTexts['programs'],
    'name' | 'make' | 'makeTitle' | 'title' | 'rollTitle' | 'end' | 'endOf' | 'endTitle' | 'endText'
  >
  nameOf: (row: Row) => string
  /** Error code of `make` if the name is in use. */
  nameTaken: CallErrorCode
  /** Scopes of a new token, for which the user also chooses networks; undefined if it has neither. */
  scopes?: readonly Scope[]
  /** Creates a token. @returns the token */
  make: (values: NewToken) => Promise<string>
  /** Replaces a token. @returns the new token */
  roll: (row: Row, values: Rollover) => Promise<string>
  end: (row: Row) => Promise<unknown>
  /** Reads the list again. */
  refetch: () => Promise<unknown>
  /** Runs the calls that require the password again; undefined if none does. */
  guarded?: GateKeeper['guarded']
}

/**
 * Manages the tokens of a list: creates, rotates and ends them, and reads the list again after each. Shows a new token
 * once.
 * @returns `openMake`, which opens the dialog of a new token; `actions`, which renders the buttons of a row (none for a
 * token that is not valid); and `dialogs`, which the caller must render
 */
export function useTokens<Row extends Token>(list: TokenList<Row>) {
  const { texts: t, nameOf, make, roll, end, refetch, guarded } = list
  const texts = useTokenTexts()
  const rollLabel = texts.roll
  const [asked, setAsked] = useState<'new' | Row>()
  // Only the dialog keeps the new token.
  const [token, setToken] = useState<string>()
  const onClose = () => setAsked(undefined)

  /**
   * Gets a new token from the server and shows it. If the server requires the password re-entry, closes the dialog
   * first, because the dialog would cover it.
   * @throws {CallError} for other refusals; the dialog stays open
   */
  async function requestToken(work: () => Promise<string>): Promise<void> {
    let made: string | void
    try {
      made = await work()
    } catch (error) {
      const isGuarded = error instanceof CallError && error.code === 'PASSWORD_CHECK_REQUIRED'
      if (guarded === undefined || !isGuarded) throw error
      setAsked(undefined)
      made = await guarded(work).catch(showRefusal)
    }
    setAsked(undefined)
    setToken(made ?? undefined)
    await refetch()
  }

  /** Ends a token after a question, and shows a refusal in an alert. */
  async function endToken(row: Row): Promise<void> {
    const message = t.endText(nameOf(row))
    if (!(await dialogs.confirm({ title: t.endTitle, message, isDanger: true }))) return
    await end(row).catch(showRefusal)
    await refetch()
  }

  /** Renders the actions of a row. */
  const actions = (row: Row): ReactNode =>
    isInForce(row) && (
      <span className={layout.row}>
        <Button size="small" aria-label={t.rollTitle(nameOf(row))} onClick={() => setAsked(row)}>
          {rollLabel}
        </Button>
        <Button size="small" aria-label={t.endOf(nameOf(row))} onClick={() => void endToken(row)}>
          {t.end}
        </Button>
      </span>
    )

  return {
    openMake: () => setAsked('new'),
    actions,
    dialogs: (
      <>
        {asked === 'new' && (
          <MakeToken
            title={t.makeTitle}
            nameLabel={t.name}
            nameTaken={list.nameTaken}
            scopes={list.scopes}
            submitLabel={t.make}
            act={(values) => requestToken(() => make(values))}
            onClose={onClose}
          />
        )}
        {typeof asked === 'object' && (
          <RollToken
            title={t.rollTitle(nameOf(asked))}
            submitLabel={rollLabel}
            act={(values) => requestToken(() => roll(asked, values))}
            onClose={onClose}
          />
        )}
        {token !== undefined && (
          <TokenOnce
            title={t.title}
            lead={texts.once}
            label={texts.token}
            token={token}
            onClose={() => setToken(undefined)}
          />
        )}
      </>
    ),
  }
}

/** Schema that converts the value of a select to a number of days. */
const days = z.pipe(z.string(), z.transform(Number))
/** Schema of a new token. */
const made = z.strictObject({
  name: tokenName,
  validDays: days,
  scopes: z.array(z.enum(SCOPES)),
  allowedNetworks: networksText,
})
/** Schema of a rotation. */
const rolled = z.strictObject({ validDays: days, overlapDays: days })

/** Input for a new token. */
type NewToken = z.output<typeof made>
/** Input for the rotation of a token. */
type Rollover = z.output<typeof rolled>

/** Texts and call of a dialog. */
interface Props<Values> {
  title: string
  submitLabel: string
  /** Makes the call. The dialog shows its refusals. */
  act: (values: Values) => Promise<void>
  onClose: () => void
}

/** Texts, scopes and call of the dialog of a new token. */
interface MakeProps extends Props<NewToken> {
  nameLabel: string
  /** Error code of the call if the name is in use. */
  nameTaken: CallErrorCode
  scopes: readonly Scope[] | undefined
}

/**
 * Shows the dialog of a new token: its name, the days for which it is valid, and if it has `scopes`, these to choose
 * from and its networks.
 */
function MakeToken({ nameLabel, nameTaken, scopes, act, ...dialog }: MakeProps) {
  const initial = { name: '', validDays: String(TOKEN_DAYS.usual), scopes: [], allowedNetworks: '' }
  const form = useSchemaForm(made, initial, 'onSubmit')
  const { scopesHint } = useTokenTexts()
  const submit = (values: NewToken) =>
    act(values).catch((error: unknown) =>
      showRefusalOnField(error, form, {
        [nameTaken]: 'name',
        INPUT_INVALID: scopes ? 'allowedNetworks' : 'name',
      }),
    )
  return (
    <FormDialog {...dialog} about="" form={form} onSubmit={submit} className={layout.stack}>
      <BoundText name="name" label={nameLabel} isRequired maxLength={TOKEN_NAME_LENGTH} autoComplete="off" />
      <ValidDays />
      {scopes && <RightsFields scopes={scopes} hint={scopesHint} />}
    </FormDialog>
  )
}

/**
 * Shows the dialog that rotates a token: for how many days the new token is valid, and for how many days the previous
 * one stays valid.
 */
function RollToken({ act, ...dialog }: Props<Rollover>) {
  const t = useTokenTexts()
  const usual = { validDays: String(TOKEN_DAYS.usual), overlapDays: String(OVERLAP_DAYS.usual) }
  const form = useSchemaForm(rolled, usual, 'onSubmit')
  const submit = (values: Rollover) =>
    act(values).catch((error: unknown) => showRefusalOnField(error, form, {}))
  const overlaps = OVERLAP_DAYS.offered.map((n) => ({ value: String(n), label: t.overlap(n) }))
  return (
    <FormDialog {...dialog} about={dialog.title} form={form} onSubmit={submit} className={layout.stack}>
      <p>{t.rollText}</p>
      <ValidDays />
      <BoundSelect name="overlapDays" label={t.overlapDays} choices={fixedChoices(overlaps)} isRequired />
    </FormDialog>
  )
}

/** Shows the bound select for the days for which a token is valid. */
function ValidDays() {
  const t = useTokenTexts()
  const choices = TOKEN_DAYS.offered.map((n) => ({ value: String(n), label: t.days(n) }))
  return <BoundSelect name="validDays" label={t.validDays} choices={fixedChoices(choices)} isRequired />
}

/**
 * The fields that the rows of all token lists share: the state, and until when the previous token is valid ('' without
 * one).
 */
interface Token {
  state: (typeof TOKEN_STATES)[number]
  /** Missing if the list does not contain it. */
  previousUntil?: string
}

/** Badge tones of the states of a token. */
const TONES = {
  live: 'positive',
  soon: 'warning',
  expired: 'neutral',
  revoked: 'neutral',
  account: 'neutral',
} as const

/** Returns whether a token is valid now, also if it expires soon. */
export const isInForce = ({ state }: Pick<Token, 'state'>) => state === 'live' || state === 'soon'

/** Shows the state of a token, and until when the previous one stays valid after a rotation. */
export function TokenState({ state, previousUntil = '' }: Token) {
  const t = useTokenTexts()
  return (
    <span className={layout.row}>
      <Badge tone={TONES[state]}>{t.states[state]}</Badge>
      {previousUntil !== '' && (
        <span className={layout.hint}>{t.previousUntil(minuteOf(previousUntil))}</span>
      )}
    </span>
  )
}
