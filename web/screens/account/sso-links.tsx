import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { beginLink, listLinks, removeLink } from '../../../contract/sso.ts'
import { call } from '../../api/client.ts'
import { recordQuery } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { LoadState } from '../../forms/load-error.tsx'
import type { GateKeeper } from '../../layout/password-gate.tsx'
import { minuteOf } from '../../lists/columns.ts'
import { leaveForProvider } from '../../sso.ts'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import layout from '../../ui/layout.module.css'
import { showToast } from '../../ui/toasts.ts'
import { FactorPart } from './factor-part.tsx'
import { useSsoTexts } from './sso-texts.ts'

/** An identity provider with the state of the user's link. */
type LinkRow = OutputOf<typeof listLinks>['links'][number]

/**
 * Shows the identity providers by which the user can log in (rules/sso#links), to link and to remove. Linking
 * (`beginLink`) leaves the portal for the provider. Removing (`removeLink`) asks first. Both need the password
 * re-entry; a refusal is shown in an alert.
 */
export function SsoLinks({ guarded }: GateKeeper) {
  const t = useSsoTexts()
  const found = useQuery(recordQuery(listLinks, {}))

  async function link({ providerId }: LinkRow): Promise<void> {
    await guarded(() =>
      leaveForProvider({ purpose: 'link' }, (binding) => call(beginLink, { providerId, binding })),
    ).catch(showRefusal)
  }

  async function unlink({ providerId, providerName }: LinkRow): Promise<void> {
    const question = { title: t.unlinkTitle, message: t.unlinkText(providerName), isDanger: true }
    if (!(await dialogs.confirm(question))) return
    const removed = await guarded(() => call(removeLink, { providerId })).catch(showRefusal)
    await found.refetch()
    if (removed !== undefined) showToast(t.unlinked)
  }

  if (found.data === undefined) return <LoadState query={found} loading={t.loading} failed={t.failed} />
  const { links } = found.data
  if (links.length === 0) return <p className={layout.quiet}>{t.none}</p>
  return (
    <div className={layout.parts}>
      {links.map((row) => {
        const { providerId, providerName: name, linkedAt, lastUsedAt, usable } = row
        return (
          <FactorPart
            key={providerId}
            title={name}
            lead={linkedAt === '' ? t.notLinked : t.since(minuteOf(linkedAt))}
            state={linkedAt === '' ? '' : t.lastUsed(minuteOf(lastUsedAt))}
            warning={usable ? undefined : t.unusable}
            actions={
              linkedAt === '' ? (
                <Button size="small" aria-label={t.linkOf(name)} onClick={() => void link(row)}>
                  {t.link}
                </Button>
              ) : (
                <Button
                  size="small"
                  variant="danger"
                  aria-label={t.unlinkOf(name)}
                  onClick={() => void unlink(row)}
                >
                  {t.unlink}
                </Button>
              )
            }
          />
        )
      })}
    </div>
  )
}
