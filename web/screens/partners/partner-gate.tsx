import type { ReactNode } from 'react'
import { FunctionGate } from '../../frame/function-gate.tsx'
import { usePortalMessages } from '../../language.tsx'

interface Props {
  title: 'partnerSearch' | 'partnerInsert' | 'partnerDetail'
  children: ReactNode
}

/** The partner pages check `autho_partner_search` before they show anything (rules/partners#partner-pages). */
export function PartnerGate({ title, children }: Props) {
  const { titles } = usePortalMessages().frame
  return (
    <FunctionGate name="autho_partner_search" title={titles[title]}>
      {children}
    </FunctionGate>
  )
}
