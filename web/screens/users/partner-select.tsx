import { useWatch } from 'react-hook-form'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { useChoiceTexts } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'
import { usePartnersOf } from './lists.ts'

/** The partner codes of an affiliation, '' for none yet; says what to do where there are none. */
export function PartnerSelect(props: { name: string; label: string; affiliation: string }) {
  const { name, label, affiliation } = props
  const t = usePortalMessages().users.form
  const chosen: unknown = useWatch({ name })
  const partners = usePartnersOf(affiliation)
  const texts = useChoiceTexts(partners)
  const isOpen = affiliation === ''
  const isNone = !isOpen && !partners.isLoading && !partners.isFailed && partners.options.length === 0
  return (
    <BoundSelect
      name={name}
      label={label}
      choices={partners}
      placeholder={isNone ? t.noPartnersShort : texts.placeholder}
      emptyLabel={isOpen ? t.chooseAffiliationFirst : texts.emptyLabel}
      fallbackLabel={typeof chosen === 'string' ? chosen : undefined}
      description={isNone ? t.noPartners : isOpen ? t.chooseAffiliationFirst : undefined}
      requiredText={isNone ? t.noPartners : undefined}
      isRequired
    />
  )
}
