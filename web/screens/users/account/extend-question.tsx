import { useState } from 'react'
import { useDateTexts } from '../../../forms/date-texts.ts'
import { usePortalMessages } from '../../../language.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import layout from '../../../ui/layout.module.css'

interface Props {
  text: string
  /** The day that is proposed. */
  first: string
  onChange: (day: string) => void
}

/** The question before an account is extended: to which day (rules/users#extension). */
export function ExtendQuestion({ text, first, onChange }: Props) {
  const { fields } = usePortalMessages()
  const [day, setDay] = useState(first)
  return (
    <div className={layout.stack}>
      <p>{text}</p>
      <DateField
        {...useDateTexts()}
        label={fields.extendTo}
        value={day}
        onChange={(typed) => {
          setDay(typed)
          onChange(typed)
        }}
      />
    </div>
  )
}
