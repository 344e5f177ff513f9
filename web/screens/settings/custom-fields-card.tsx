import { useRef } from 'react'
import { useFieldArray, useWatch } from 'react-hook-form'
import { customFields as en } from '../../../contract/messages/en/custom-fields.ts'
import { customFields as ko } from '../../../contract/messages/ko/custom-fields.ts'
import {
  CUSTOM_KINDS,
  CUSTOM_SLOTS,
  type CustomField,
  EDITED_BY,
  SEEN_BY,
} from '../../../contract/custom-fields.ts'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { BoundArea, BoundText } from '../../forms/bound-text.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { createTexts, usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ArrowDownIcon, ArrowUpIcon, CloseIcon } from '../../ui/icons.tsx'
import layout from '../../ui/layout.module.css'
import type { SettingsValues } from './form-values.ts'
import { useAppend } from './use-append.ts'
import styles from './settings.module.css'

/** Returns the texts of custom fields, which load with their page. */
const useTexts = createTexts({ ko, en })

/** Values of a new field, without its slot. The user must name it. */
const NEW = {
  name: '',
  nameEn: '',
  kind: 'text',
  choices: '',
  seenBy: 'person',
  editedBy: 'managers',
} as const

/** Returns the choices of a select for these values, with their labels; the value itself without one. */
const optionsOf = (words: Record<string, string>, names: readonly string[]) =>
  fixedChoices(names.map((value) => ({ value, label: words[value] ?? value })))

/**
 * Shows the users' custom fields that the settings form has, in their order, and lets the user add, edit, move and
 * remove them (rules/users#custom-fields). Adding needs a free slot. The form saves them.
 * @param saved the fields before the changes; the slot of a removed one is free only after saving
 */
export function CustomFieldsCard({ saved }: { saved: readonly CustomField[] }) {
  const { fields: labels } = usePortalMessages()
  const t = useTexts()
  const { fields, remove, move } = useFieldArray<SettingsValues, 'customFields'>({
    name: 'customFields',
  })
  const append = useAppend('customFields')
  const values = useWatch<SettingsValues, 'customFields'>({ name: 'customFields' })
  const addButton = useRef<HTMLButtonElement>(null)
  // A removed field has its values until the form is saved, so its place is not free.
  const free = CUSTOM_SLOTS.find((slot) => [...saved, ...values].every((field) => field.slot !== slot))
  return (
    <Card
      title={t.title}
      actions={
        <Button
          ref={addButton}
          size="small"
          isDisabled={free === undefined}
          onClick={() => free !== undefined && append({ ...NEW, slot: free })}
        >
          {t.add}
        </Button>
      }
    >
      <p className={layout.lead}>{t.lead}</p>
      {free === undefined && fields.length < CUSTOM_SLOTS.length && <p className={layout.quiet}>{t.full}</p>}
      <ol className={styles.offices}>
        {fields.map(({ id }, index) => {
          const value = values[index]
          const name = t.fieldOf(index + 1, value?.name ?? '')
          return (
            <li key={id} className={styles.office} aria-label={name}>
              <BoundText name={`customFields.${index}.name`} label={t.name} autoComplete="off" isRequired />
              <BoundText name={`customFields.${index}.nameEn`} label={labels.nameEn} autoComplete="off" />
              <BoundSelect
                name={`customFields.${index}.kind`}
                label={t.kind}
                choices={optionsOf(t.kinds, CUSTOM_KINDS)}
              />
              {value?.kind === 'choice' && (
                <BoundArea name={`customFields.${index}.choices`} label={t.choices} rows={4} isRequired />
              )}
              <BoundSelect
                name={`customFields.${index}.seenBy`}
                label={t.seenBy}
                choices={optionsOf(t.seenByWords, SEEN_BY)}
              />
              <BoundSelect
                name={`customFields.${index}.editedBy`}
                label={t.editedBy}
                choices={optionsOf(t.editedByWords, EDITED_BY)}
              />
              <span className={styles.buttons}>
                <Button
                  isIcon
                  variant="quiet"
                  aria-label={t.up(name)}
                  onClick={() => index > 0 && move(index, index - 1)}
                >
                  <ArrowUpIcon />
                </Button>
                <Button
                  isIcon
                  variant="quiet"
                  aria-label={t.down(name)}
                  onClick={() => index < fields.length - 1 && move(index, index + 1)}
                >
                  <ArrowDownIcon />
                </Button>
                <Button
                  isIcon
                  variant="quiet"
                  aria-label={t.remove(name)}
                  onClick={() => {
                    remove(index)
                    addButton.current?.focus()
                  }}
                >
                  <CloseIcon />
                </Button>
              </span>
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
