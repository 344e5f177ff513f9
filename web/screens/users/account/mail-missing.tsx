import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getAuthority } from '../../../../contract/common.ts'
import { query } from '../../../api/query.ts'
import { useHasFunction } from '../../../layout/use-permission.ts'
import { usePortalMessages } from '../../../language.tsx'
import layout from '../../../ui/layout.module.css'

/**
 * Warns that invitations become files if there is no mail server. Renders nothing otherwise, and until this is known.
 * Links to the settings for users with permission. Requests nothing itself: reads the cached response of
 * `getAuthority`.
 */
export function MailMissing() {
  const t = usePortalMessages().users.register
  const authority = useQuery({ ...query(getAuthority, {}), enabled: false })
  const mayChange = useHasFunction('autho_setting_manage')
  if (authority.data?.mailMissing !== true) return null
  return (
    <p className={layout.warning}>
      {t.mailMissing} {mayChange && <Link to="/setting/manage">{t.toMail}</Link>}
    </p>
  )
}
