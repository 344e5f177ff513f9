import { useQuery } from '@tanstack/react-query'
import type { FunctionName } from '../../../contract/permissions.ts'
import { listFunctionHolders } from '../../../contract/roles.ts'
import { query } from '../../api/query.ts'
import { usePermissionLookup } from '../../frame/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { useLatePart } from '../../ui/use-late-part.ts'
import layout from '../../ui/layout.module.css'

// Seldom needed, and each with a form of its own.
const loadAffiliationDialog = () => import('./affiliation-dialog.tsx')
const loadPartnerDialog = () => import('./partner-dialog.tsx')

/** A form's way to an affiliation that is not in its list yet (rules/affiliations#missing). */
export function AffiliationHelp({ onMade }: { onMade: (code: string) => void }) {
  const t = usePortalMessages().affiliations.help
  const may = usePermissionLookup()
  const dialog = useLatePart(loadAffiliationDialog)
  const mayAdd = may('autho_setting_manage')
  if (mayAdd === undefined) return null
  if (!mayAdd) return <WhoMay name="autho_setting_manage" text={t.affiliationBy} />
  return (
    <>
      <span className={layout.row}>
        <span className={layout.hint}>{t.missingAffiliation}</span>
        <Button size="small" onClick={dialog.open}>
          {t.addAffiliation}
        </Button>
      </span>
      {dialog.opened && <dialog.opened.AffiliationDialog onMade={onMade} onClose={dialog.close} />}
    </>
  )
}

interface PartnerHelpProps {
  /** The affiliation that it is for; '' lets the person choose. */
  affiliation: string
  onMade: (partnerCode: string) => void
}

/** A form's way to a partner code that is missing (rules/affiliations#missing). */
export function PartnerHelp({ affiliation, onMade }: PartnerHelpProps) {
  const t = usePortalMessages().affiliations.help
  const may = usePermissionLookup()
  const dialog = useLatePart(loadPartnerDialog)
  const mayMake = may('autho_setting_manage') || may('autho_partner_search')
  if (mayMake === undefined) return null
  if (!mayMake) {
    return <WhoMay name="autho_partner_search" text={t.partnerBy} />
  }
  return (
    <>
      <Button size="small" onClick={dialog.open}>
        {t.makePartner}
      </Button>
      {dialog.opened && (
        <dialog.opened.PartnerDialog affiliation={affiliation} onMade={onMade} onClose={dialog.close} />
      )}
    </>
  )
}

/** Names the roles that may do what the person may not. */
function WhoMay({ name, text }: { name: FunctionName; text: (roles: string) => string }) {
  const holders = useQuery(query(listFunctionHolders, { functionName: name }))
  const roles = holders.data?.roles.map(({ roleName }) => `‘${roleName}’`) ?? []
  return <span className={layout.hint}>{roles.length > 0 && text(roles.join(', '))}</span>
}
