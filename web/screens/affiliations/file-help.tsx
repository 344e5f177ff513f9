import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { AffiliationHelp, PartnerHelp } from './help.tsx'
import layout from '../../ui/layout.module.css'

interface FileHelpProps {
  /** Kinds of codes in the file that may not exist. */
  lacks: 'affiliation' | 'affiliationOrPartner'
  onAgain: () => void
}

/** Offers to create missing codes, and checks the file again. */
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
