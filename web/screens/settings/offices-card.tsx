import { useRef } from 'react'
import { useFieldArray, useWatch } from 'react-hook-form'
import { MAX_OFFICES } from '../../../contract/settings.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ArrowDownIcon, ArrowUpIcon, CloseIcon } from '../../ui/icons.tsx'
import layout from '../../ui/layout.module.css'
import type { SettingsValues } from './form-values.ts'
import { useSettingsTexts } from './settings-texts.ts'
import { useAppend } from './use-append.ts'
import styles from './settings.module.css'

/** Values of a new office. */
const NEW = { name: '', address: '', phone: '', fax: '', nameEn: '', addressEn: '' }

/**
 * Shows the offices of the footer that the settings form has, in their order, and lets the user add, edit, move and
 * remove them; one must stay, and at most MAX_OFFICES are possible. The form saves them.
 */
export function OfficesCard() {
  const { fields: labels } = usePortalMessages()
  const t = useSettingsTexts()
  const { fields, remove, move } = useFieldArray<SettingsValues, 'offices'>({ name: 'offices' })
  const append = useAppend('offices')
  const offices = useWatch<SettingsValues, 'offices'>({ name: 'offices' })
  const addButton = useRef<HTMLButtonElement>(null)
  return (
    <Card
      title={t.offices}
      actions={
        <Button
          ref={addButton}
          size="small"
          isDisabled={fields.length >= MAX_OFFICES}
          onClick={() => append(NEW)}
        >
          {t.officeAdd}
        </Button>
      }
    >
      <p className={layout.lead}>{t.officesLead}</p>
      <ol className={styles.offices}>
        {fields.map(({ id }, index) => {
          const name = t.officeOf(index + 1, offices[index]?.name ?? '')
          return (
            <li key={id} className={styles.office} aria-label={name}>
              <BoundText name={`offices.${index}.name`} label={t.officeName} isRequired />
              <BoundText name={`offices.${index}.address`} label={labels.address} isRequired />
              <BoundText name={`offices.${index}.phone`} label={labels.phone} />
              <BoundText name={`offices.${index}.fax`} label={labels.fax} />
              {(['nameEn', 'addressEn'] as const).map((field) => (
                <BoundText key={field} name={`offices.${index}.${field}`} label={labels[field]} />
              ))}
              <span className={styles.buttons}>
                <Button
                  isIcon
                  variant="quiet"
                  aria-label={t.officeUp(name)}
                  // Not disabled at the end: a user who moves an office up by keyboard would lose the focus.
                  onClick={() => index > 0 && move(index, index - 1)}
                >
                  <ArrowUpIcon />
                </Button>
                <Button
                  isIcon
                  variant="quiet"
                  aria-label={t.officeDown(name)}
                  onClick={() => index < fields.length - 1 && move(index, index + 1)}
                >
                  <ArrowDownIcon />
                </Button>
                <Button
                  isIcon
                  variant="quiet"
                  isDisabled={fields.length === 1}
                  aria-label={t.officeRemove(name)}
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
