import { usePortalMessages } from '../../language.tsx'
import { PartnerSelect } from '../users/record/partner-select.tsx'
import type { DecisionProps } from './decision-dialog.tsx'

type Requests = DecisionProps['requests']

/** The affiliations that people would belong to: of a change the new one. */
const affiliationsOf = (requests: Requests) =>
  new Map(
    requests.map((row) => [
      row.newAffiliationCode ?? row.affiliationCode,
      row.newAffiliationName ?? row.affiliationName,
    ]),
  )

/** One choice for each affiliation among the chosen, none made yet: partner codes belong to one. */
export const partnersToChoose = (requests: Requests) =>
  [...affiliationsOf(requests).keys()].map((affiliationCode) => ({ affiliationCode, partnerCode: '' }))

/** Asks for a partner code of each, its default one chosen beforehand. */
export function PartnerChoices({ requests }: { requests: Requests }) {
  const t = usePortalMessages().approvals
  return [...affiliationsOf(requests)].map(([code, name], index) => (
    <PartnerSelect
      key={code}
      name={`partners.${index}.partnerCode`}
      label={t.partnerOf(name)}
      affiliation={code}
    />
  ))
}
