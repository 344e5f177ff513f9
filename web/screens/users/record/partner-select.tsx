import { useEffect } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { BoundSelect } from '../../../forms/bound-fields.tsx'
import { useChoiceTexts } from '../../../forms/choices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { PartnerHelp } from '../../affiliations/help.tsx'
import { usePartnersOf } from '../search/lists.ts'
import layout from '../../../ui/layout.module.css'

/**
 * Shows the field for the partner code, with the codes of an affiliation, and preselects its default code
 * (rules/affiliations#default-partner). Keeps a saved code that is not offered any more. If the affiliation has no
 * codes, offers to create one (rules/affiliations#missing).
 */
export function PartnerSelect(props: { name: string; label: string; affiliation: string }) {
  const { name, label, affiliation } = props
  const t = usePortalMessages().users.form
  const { setValue, clearErrors } = useFormContext()
  const chosen: unknown = useWatch({ name })
  const partners = usePartnersOf(affiliation)
  const texts = useChoiceTexts(partners)
  const isOpen = affiliation === ''
  // A user keeps a deactivated code, although it is not offered (rules/partners#stop-partner).
  const isNone =
    chosen === '' && !isOpen && !partners.isLoading && !partners.isFailed && partners.options.length === 0
  const { defaultCode } = partners

  useEffect(() => {
    if (chosen !== '' || defaultCode === undefined) return
    // Set as a default and not as input: leaving the form then asks nothing.
    setValue(name, defaultCode)
    clearErrors(name)
  }, [chosen, defaultCode, name, setValue, clearErrors])

  return (
    <div>
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
      {isNone && (
        <div className={layout.underField}>
          <PartnerHelp
            affiliation={affiliation}
            onMade={(code) => {
              setValue(name, code, { shouldDirty: true })
              clearErrors(name)
            }}
          />
        </div>
      )}
    </div>
  )
}
