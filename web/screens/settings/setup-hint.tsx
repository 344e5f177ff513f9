import { Link, Navigate } from '@tanstack/react-router'
import type { getAuthority } from '../../../contract/common.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { usePortalMessages } from '../../language.tsx'
import { wasLed } from '../../setup-guide.ts'

/** At home while the portal is being set up: leads to the guide after the login, later only says that there is one. */
export function SetupHint({ setup }: { setup: NonNullable<OutputOf<typeof getAuthority>['setup']> }) {
  const t = usePortalMessages().settings.guide
  if (setup === 'open' && !wasLed()) return <Navigate to="/setup" replace />
  return (
    <>
      {t.hint} <Link to="/setup">{t.hintLink}</Link>
    </>
  )
}
