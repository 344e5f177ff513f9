import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import {
  adoptAccounts,
  createScimToken,
  endScimToken,
  getScim,
  releaseScim,
  SCIM_TOKENS_MAX,
  updateScim,
} from '../../../contract/scim.ts'
import { call } from '../../api/client.ts'
import { recordQuery } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useAffiliations, useChoiceTexts } from '../../forms/choices.ts'
import { LoadedRecord } from '../../forms/record-states.tsx'
import { usePortalMessages } from '../../language.tsx'
import { minuteOf } from '../../lists/columns.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import layout from '../../ui/layout.module.css'
import { Dialog } from '../../ui/lazy-dialog.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toasts.ts'
import { TokenOnce } from '../keys/token-once.tsx'
import { useScimTexts } from './scim-texts.ts'

/** The provisioning of a provider. */
type Scim = OutputOf<typeof getScim>

/** The provider, and whether the user may change it. */
interface Props {
  provider: { providerId: string; providerName: string; enabled: boolean }
  isLocked: boolean
  onClose: () => void
}

/**
 * Shows and changes the provisioning of an identity provider (rules/scim): the affiliation of new accounts
 * (`updateScim`), its tokens (`createScimToken`, `endScimToken`), the stop after too many suspensions (`releaseScim`),
 * and the accounts to adopt (`adoptAccounts`). Each change is saved immediately. A new token is shown once.
 * @param provider.enabled false shows that the provider is disabled
 * @param isLocked true for a user who may change nothing here
 */
export function ScimDialog({ provider: { providerId, providerName, enabled }, isLocked, onClose }: Props) {
  const t = useScimTexts()
  const { forms } = usePortalMessages()
  const found = useQuery(recordQuery(getScim, { providerId }))
  const [token, setToken] = useState('')

  /**
   * Waits for a change, shows a toast unless `text` is empty, and reads the state again, also after a refusal. Shows a
   * refusal in an alert and returns undefined then.
   */
  async function change<T>(work: Promise<T>, text: string): Promise<T | undefined> {
    const answer = await work.then(
      (output) => ({ output }),
      (error: unknown) => showRefusal(error),
    )
    if (answer !== undefined && text !== '') showToast(text)
    await found.refetch()
    return answer?.output
  }

  /** Creates a token, and shows it instead of the dialog. After a refusal the dialog stays. */
  async function createToken(): Promise<void> {
    const created = await change(call(createScimToken, { providerId }), '')
    if (created !== undefined) setToken(created.scimToken)
  }

  const title = t.titleOf(providerName)
  if (token !== '')
    return (
      <TokenOnce
        title={title}
        lead={t.tokenLead}
        label={t.token}
        token={token}
        onClose={() => setToken('')}
      />
    )
  return (
    <Dialog title={title} width="wide" closeLabel={forms.close} onClose={onClose}>
      <LoadedRecord query={found} title={t.provisioning} loading={t.loading} failed={t.failed}>
        {(scim) => (
          <div className={layout.parts}>
            {!enabled && <p className={layout.warning}>{t.disabled}</p>}
            <Limit
              scim={scim}
              isLocked={isLocked}
              release={() => change(call(releaseScim, { providerId }), t.released)}
            />
            <Setup
              scim={scim}
              isLocked={isLocked}
              choose={(affiliationCode) => change(call(updateScim, { providerId, affiliationCode }), t.saved)}
            />
            <Tokens
              scim={scim}
              isLocked={isLocked}
              create={() => void createToken()}
              end={(tokenId) => change(call(endScimToken, { providerId, tokenId }), t.ended)}
            />
            <Candidates
              scim={scim}
              isLocked={isLocked}
              adopt={(candidateIds) => change(call(adoptAccounts, { providerId, candidateIds }), t.adopted)}
            />
          </div>
        )}
      </LoadedRecord>
    </Dialog>
  )
}

/** The provisioning, and whether the user may change it. */
interface PartProps {
  scim: Scim
  isLocked: boolean
}

/**
 * Shows how many accounts the provider manages and, after too many suspensions, when it was stopped, with a button that
 * releases it.
 */
function Limit({
  scim: { stoppedAt, managedCount },
  isLocked,
  release,
}: PartProps & { release: () => unknown }) {
  const t = useScimTexts()
  return (
    <div className={layout.stack}>
      <p>{t.managed(managedCount)}</p>
      {stoppedAt !== '' && (
        <>
          <p className={layout.warning}>{t.stopped(minuteOf(stoppedAt))}</p>
          <div>
            <Button size="small" isDisabled={isLocked} onClick={() => void release()}>
              {t.release}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

/**
 * Shows the URL for the provider, or that the portal has none, and the select for the affiliation of new accounts,
 * whose choice is saved immediately.
 */
function Setup({ scim, isLocked, choose }: PartProps & { choose: (code: string) => unknown }) {
  const t = useScimTexts()
  const affiliations = useAffiliations()
  const texts = useChoiceTexts(affiliations)
  return (
    <div className={layout.stack}>
      {scim.scimUrl === '' ? (
        <p className={layout.warning}>{t.noUrl}</p>
      ) : (
        <TextField label={t.url} value={scim.scimUrl} onChange={() => {}} isReadOnly />
      )}
      <SelectField
        {...texts}
        label={t.affiliation}
        description={t.affiliationHint}
        options={affiliations.options}
        isLoading={affiliations.isLoading}
        value={scim.affiliationCode}
        fallbackLabel={scim.affiliationCode}
        isDisabled={isLocked}
        onChange={(code) => void choose(code)}
      />
    </div>
  )
}

/** The tokens and their actions. */
interface TokensProps extends PartProps {
  create: () => void
  end: (tokenId: string) => unknown
}

/**
 * Shows the tokens, to create and, after a question, to end. Creating needs an affiliation and fewer than
 * SCIM_TOKENS_MAX tokens.
 */
function Tokens({ scim: { tokens, affiliationCode }, isLocked, create, end }: TokensProps) {
  const t = useScimTexts()
  const isFull = tokens.length >= SCIM_TOKENS_MAX

  async function confirmEnd(tokenId: string): Promise<void> {
    if (await dialogs.confirm({ title: t.endTitle, message: t.endText, isDanger: true })) await end(tokenId)
  }

  return (
    <section className={layout.stack} aria-label={t.tokens}>
      <strong>{t.tokens}</strong>
      {tokens.map(({ tokenId, createdAt, createdBy, lastUsedAt }) => (
        <div key={tokenId} className={layout.row}>
          <span>{t.tokenOf(minuteOf(createdAt), createdBy, minuteOf(lastUsedAt))}</span>
          <Button
            size="small"
            variant="danger"
            isDisabled={isLocked}
            aria-label={t.endOf(minuteOf(createdAt))}
            onClick={() => void confirmEnd(tokenId)}
          >
            {t.end}
          </Button>
        </div>
      ))}
      <div>
        <Button size="small" isDisabled={isLocked || isFull || affiliationCode === ''} onClick={create}>
          {t.create}
        </Button>
      </div>
    </section>
  )
}

/**
 * Shows the accounts that the provider could manage, and adopts the selected ones after a question. Accounts with
 * privileged permissions cannot be selected. Shows nothing if there is no account.
 */
function Candidates({
  scim: { candidates },
  isLocked,
  adopt,
}: PartProps & { adopt: (ids: string[]) => unknown }) {
  const t = useScimTexts()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const ids = candidates.map(({ candidateId }) => candidateId).filter((id) => chosen.includes(id))
  const toggle = (id: string, isChosen: boolean) =>
    setChosen((before) => (isChosen ? [...before, id] : before.filter((each) => each !== id)))

  async function confirmAdoption(): Promise<void> {
    if (await dialogs.confirm({ title: t.adoptTitle, message: t.adoptText(ids.length) })) await adopt(ids)
  }

  if (candidates.length === 0) return null
  return (
    <section className={layout.stack} aria-label={t.candidates}>
      <strong>{t.candidates}</strong>
      <p className={layout.hint}>{t.candidatesHint}</p>
      {candidates.map(({ candidateId, privileged, ...of }) => (
        <Checkbox
          key={candidateId}
          label={t.candidateOf(of) + (privileged ? ` ${t.privileged}` : '')}
          value={chosen.includes(candidateId)}
          isDisabled={isLocked || privileged}
          onChange={(isChosen) => toggle(candidateId, isChosen)}
        />
      ))}
      <div>
        <Button size="small" isDisabled={isLocked || ids.length === 0} onClick={() => void confirmAdoption()}>
          {t.adopt}
        </Button>
      </div>
    </section>
  )
}
