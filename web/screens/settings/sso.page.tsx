import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { API_BASE } from '../../../contract/envelope.ts'
import {
  BACK_CHANNEL_PATH,
  beginTry,
  enableProvider,
  listProviders,
  PROVIDERS_MAX,
  removeProvider,
} from '../../../contract/sso.ts'
import { call } from '../../api/client.ts'
import { reloadConfig } from '../../api/config.ts'
import { prefetch, recordQuery } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { LoadedRecord } from '../../forms/record-states.tsx'
import { usePortalMessages } from '../../language.tsx'
import { useReachesAdministrators } from '../../layout/use-permission.ts'
import { leaveForProvider } from '../../sso.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { dialogs } from '../../ui/dialogs.ts'
import { FactList } from '../../ui/fact-list.tsx'
import layout from '../../ui/layout.module.css'
import { TextField } from '../../ui/text-field.tsx'
import { useSsoTexts } from '../account/sso-texts.ts'
import { ScimDialog } from './scim-dialog.tsx'
import { ProviderDialog } from './sso-dialog.tsx'

/** The providers, the roles and the redirect URI. */
type Found = OutputOf<typeof listProviders>
/** A saved identity provider. */
type Provider = Found['providers'][number]

/** Query for the identity providers. */
const providersQuery = recordQuery(listProviders, {})

/** Prefetches the identity providers. */
export function load(): void {
  void prefetch(providersQuery)
}

/**
 * The page /setting/sso (rules/sso#providers): the identity providers by which users log in, to add, edit, test,
 * enable, disable and remove, and their provisioning.
 */
export default function SsoSettings() {
  const { titles } = usePortalMessages()
  const t = useSsoTexts()
  const found = useQuery(providersQuery)
  const [edited, setEdited] = useState<Provider | 'new'>()
  const [provisioned, setProvisioned] = useState<Provider>()
  const isLocked = useReachesAdministrators() === false
  const isFull = (found.data?.providers.length ?? PROVIDERS_MAX) >= PROVIDERS_MAX

  /** Reads the providers again, and the buttons of the login page. A failure of the latter is ignored. */
  const refresh = () => Promise.all([found.refetch(), reloadConfig().catch(() => undefined)])

  return (
    <Page
      title={titles.settingSso}
      actions={
        <Button variant="primary" isDisabled={isLocked || isFull} onClick={() => setEdited('new')}>
          {t.add}
        </Button>
      }
    >
      <LoadedRecord query={found} title={titles.settingSso} loading={t.loading} failed={t.failed}>
        {(data) => (
          <div className={layout.parts}>
            <Intro found={data} isLocked={isLocked} />
            {data.providers.map((provider) => (
              <ProviderCard
                key={provider.providerId}
                provider={provider}
                isLocked={isLocked}
                portalUrl={data.redirectUri}
                onEdit={() => setEdited(provider)}
                onProvision={() => setProvisioned(provider)}
                refresh={refresh}
              />
            ))}
          </div>
        )}
      </LoadedRecord>
      {edited !== undefined && found.data !== undefined && (
        <ProviderDialog
          roles={found.data.roles}
          provider={edited === 'new' ? undefined : edited}
          onChanged={refresh}
          onClose={() => setEdited(undefined)}
        />
      )}
      {provisioned !== undefined && (
        <ScimDialog provider={provisioned} isLocked={isLocked} onClose={() => setProvisioned(undefined)} />
      )}
    </Page>
  )
}

/**
 * Shows the redirect URI to enter at the provider, with a button that copies it, or that the portal has no URL; and
 * what keeps single sign-on from working or the user from changing it.
 */
function Intro({ found: { providers, redirectUri, ssoOff }, isLocked }: { found: Found; isLocked: boolean }) {
  const { titles, forms } = usePortalMessages()
  const t = useSsoTexts()
  const copy = () => copyText(redirectUri, forms)

  return (
    <Card title={titles.settingSso}>
      <div className={layout.stack}>
        <p className={layout.quiet}>{t.lead}</p>
        {ssoOff && <p className={layout.warning}>{t.off}</p>}
        {isLocked && <p className={layout.warning}>{t.reachHint}</p>}
        {redirectUri === '' ? (
          <p className={layout.warning}>{t.noUrl}</p>
        ) : (
          <>
            <TextField
              label={t.redirectUri}
              description={t.redirectHint}
              value={redirectUri}
              onChange={() => {}}
              isReadOnly
            />
            <div>
              <Button size="small" onClick={() => void copy()}>
                {forms.copy}
              </Button>
            </div>
          </>
        )}
        {providers.length === 0 && <p>{t.empty}</p>}
      </div>
    </Card>
  )
}

/** Returns the URL to which a provider sends the end of a session. */
const backChannelOf = ({ providerId }: Provider, portalUrl: string) =>
  new URL(`${API_BASE}${BACK_CHANNEL_PATH}/${providerId}`, portalUrl).href

/** The provider and the actions on it. */
interface CardProps {
  provider: Provider
  isLocked: boolean
  /** URI of the page /sso; '' without a portal address. */
  portalUrl: string
  onEdit: () => void
  onProvision: () => void
  refresh: () => Promise<unknown>
}

/**
 * Shows an identity provider and, unless `isLocked`, buttons that edit it, open its provisioning, leave for a test
 * login (`beginTry`), enable it once a test has succeeded (`enableProvider`), and after a question disable or remove it
 * (`removeProvider`). A refusal is shown in an alert.
 */
function ProviderCard({ provider, isLocked, portalUrl, onEdit, onProvision, refresh }: CardProps) {
  const { fields } = usePortalMessages()
  const t = useSsoTexts()
  const { providerId, providerName: name, providerVersion, enabled, tried, emailDomains } = provider
  const ref = { providerId, providerVersion }

  /** Makes a change, shows a refusal in an alert, and reads the providers again, also after a refusal. */
  async function change(work: () => Promise<unknown>): Promise<void> {
    await work().catch(showRefusal)
    await refresh()
  }

  /** Leaves the portal for a test login at the provider. Shows a refusal in an alert and stays then. */
  async function test(): Promise<void> {
    await leaveForProvider({ purpose: 'try' }, (binding) => call(beginTry, { ...ref, binding })).catch(
      showRefusal,
    )
  }

  /** Enables the provider, or disables it after a question. */
  async function setEnabled(isWanted: boolean): Promise<void> {
    if (!isWanted && !(await dialogs.confirm({ title: t.disableOf(name), message: t.disableText(name) })))
      return
    await change(() => call(enableProvider, { ...ref, enabled: isWanted }))
  }

  /** Removes the provider after a question. */
  async function remove(): Promise<void> {
    const question = { title: t.removeTitle, message: t.removeText(name, provider.linkCount), isDanger: true }
    if (await dialogs.confirm(question)) await change(() => call(removeProvider, ref))
  }

  return (
    <Card
      title={name}
      actions={
        !isLocked && (
          <>
            <Button size="small" aria-label={t.editOf(name)} onClick={onEdit}>
              {t.edit}
            </Button>
            <Button size="small" aria-label={t.provisionOf(name)} onClick={onProvision}>
              {t.provision}
            </Button>
            <Button
              size="small"
              aria-label={t.tryOf(name)}
              isDisabled={portalUrl === ''}
              onClick={() => void test()}
            >
              {t.try}
            </Button>
            {enabled ? (
              <Button size="small" aria-label={t.disableOf(name)} onClick={() => void setEnabled(false)}>
                {t.disable}
              </Button>
            ) : (
              <Button
                size="small"
                variant="primary"
                aria-label={t.enableOf(name)}
                isDisabled={!tried}
                onClick={() => void setEnabled(true)}
              >
                {t.enable}
              </Button>
            )}
            <Button size="small" variant="danger" aria-label={t.removeOf(name)} onClick={() => void remove()}>
              {t.remove}
            </Button>
          </>
        )
      }
    >
      <FactList
        facts={[
          [
            fields.state,
            <Badge key="state" tone={enabled ? 'positive' : tried ? 'info' : 'warning'}>
              {enabled ? t.enabled : tried ? t.ready : t.untried}
            </Badge>,
          ],
          [fields.issuer, provider.issuer],
          [fields.clientId, provider.clientId],
          [fields.subjectClaim, t.claims[provider.subjectClaim]],
          [fields.emailDomains, emailDomains.join(', ') || t.allDomains],
          [fields.firstLogin, t.firstLogins[provider.firstLogin]],
          [t.secondFactor, provider.factorCounts ? t.factorOfProvider : t.factorOfPortal],
          [t.linkCount, t.people(provider.linkCount)],
          ...(portalUrl === '' ? [] : [[t.backChannel, backChannelOf(provider, portalUrl)] as const]),
        ]}
      />
    </Card>
  )
}
