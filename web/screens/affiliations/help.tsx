import { useQuery } from '@tanstack/react-query'
import type { FunctionName } from '../../../contract/permissions.ts'
import { listFunctionHolders } from '../../../contract/roles.ts'
import { query } from '../../api/query.ts'
import { usePermissionLookup } from '../../layout/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { useLazyPart } from '../../ui/use-lazy-part.ts'
import layout from '../../ui/layout.module.css'

/** Loads the dialogs of affiliations and partner codes, which are seldom needed. */
const loadDialogs = () => import('./record-dialogs.tsx')

/**
 * Offers to add an affiliation that the form's list lacks, in a dialog (rules/affiliations#missing). Without permission
 * it names the roles that can. Renders nothing until the permission is known.
 * @param onMade called with the code of the new affiliation
 */
export function AffiliationHelp({ onMade }: { onMade: (code: string) => void }) {
  const t = usePortalMessages().affiliations.help
  const may = usePermissionLookup()
  const dialog = useLazyPart(loadDialogs)
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
  /** Code of the affiliation; '' lets the user choose. */
  affiliation: string
  onMade: (partnerCode: string) => void
}

/**
 * Offers to create a missing partner code, in a dialog (rules/affiliations#missing). Without permission it names the
 * roles that can. Renders nothing until the permission is known.
 */
export function PartnerHelp({ affiliation, onMade }: PartnerHelpProps) {
  const t = usePortalMessages().affiliations.help
  const may = usePermissionLookup()
  const dialog = useLazyPart(loadDialogs)
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

/**
 * Names the roles that have a permission which the user lacks. Shows no text until they are loaded, or if there are
 * none.
 */
function WhoMay({ name, text }: { name: FunctionName; text: (roles: string) => string }) {
  const holders = useQuery(query(listFunctionHolders, { functionName: name }))
  const roles = holders.data?.roles.map(({ roleName }) => `‘${roleName}’`) ?? []
  return <span className={layout.hint}>{roles.length > 0 && text(roles.join(', '))}</span>
}

interface FileHelpProps {
  /** Kinds of codes in the file that may not exist. */
  lacks: 'affiliation' | 'affiliationOrPartner'
  onAgain: () => void
}

/**
 * Shows buttons that create codes which a file lacks, and one that checks the file again (`onAgain`). A created code
 * also checks the file again.
 */
export function FileHelp({ lacks, onAgain }: FileHelpProps) {
  const t = usePortalMessages().affiliations.help
  return (
    <div className={layout.stack}>
      <p className={layout.quiet}>{t.missingInFile[lacks]}</p>
      <AffiliationHelp onMade={onAgain} />
      <span className={layout.row}>
        {lacks === 'affiliationOrPartner' && <PartnerHelp affiliation="" onMade={onAgain} />}
        <Button size="small" onClick={onAgain}>
          {t.again}
        </Button>
      </span>
    </div>
  )
}
