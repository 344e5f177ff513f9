import { FunctionGate } from '../../frame/function-gate.tsx'
import { useMessages } from '../../language.tsx'
import { NotBuilt } from '../common/not-built.tsx'

/** The partner pages check `autho_partner_search` before they show anything (spec §6, decisions §5). */
function partnerPage(title: 'partnerSearch' | 'partnerInsert' | 'partnerDetail') {
  return function PartnerPage() {
    const { titles } = useMessages().frame
    return (
      <FunctionGate name="autho_partner_search" title={titles[title]}>
        <NotBuilt />
      </FunctionGate>
    )
  }
}

/** /partner/search; its screen is a later issue's. */
export const PartnerSearch = partnerPage('partnerSearch')
/** /partner/insert; its screen is a later issue's. */
export const PartnerInsert = partnerPage('partnerInsert')
/** /partner/detail; its screen is a later issue's. */
export const PartnerDetail = partnerPage('partnerDetail')
