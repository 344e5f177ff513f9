import { useFormContext } from 'react-hook-form'
import { BoundDate } from '../../forms/bound-fields.tsx'
import { BoundText } from '../../forms/bound-text.tsx'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { Card } from '../../ui/Card.tsx'
import { FormGrid } from '../../ui/FormGrid.tsx'
import { LIMITS, type PartnerValues } from './form-values.ts'

/** The card 'key-issue settings' (spec §2): the four limits, none of them where a field is empty, and the validity. */
export function LimitsCard() {
  const { fields, partners: t } = usePortalMessages()
  const { language } = useLanguage()
  const { trigger, getValues } = useFormContext<PartnerValues>()
  const date = { locale: language === 'ko' ? 'ko-KR' : 'en-US', calendarLabel: t.calendar }
  return (
    <Card title={t.keySettings}>
      <FormGrid>
        {LIMITS.map((name) => (
          <BoundText<PartnerValues>
            key={name}
            name={name}
            label={fields[name]}
            inputMode="numeric"
            autoComplete="off"
            placeholder={t.noLimit}
          />
        ))}
        <BoundDate<PartnerValues>
          {...date}
          name="EXPIRY_DATETIME_START"
          label={fields.EXPIRY_DATETIME_START}
          onChanged={() => {
            // The order of the two dates is told at the end date.
            if (getValues('EXPIRY_DATETIME_END') !== '') void trigger('EXPIRY_DATETIME_END')
          }}
        />
        <BoundDate<PartnerValues> {...date} name="EXPIRY_DATETIME_END" label={fields.EXPIRY_DATETIME_END} />
      </FormGrid>
    </Card>
  )
}
