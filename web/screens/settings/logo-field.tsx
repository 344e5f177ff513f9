import { useRef, useState } from 'react'
import { useController } from 'react-hook-form'
import { MAX_LOGO_BYTES } from '../../../contract/settings.ts'
import { validationText } from '../../../contract/validation.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import layout from '../../ui/layout.module.css'
import type { SettingsValues } from './form-values.ts'
import { useSettingsTexts } from './settings-texts.ts'
import styles from './settings.module.css'

/**
 * Shows the newly selected logo, or else the saved one, with buttons to select and remove it. The form gets the image
 * as Base64, and '' for a removed one; the field shows what is wrong with a file.
 * @param present URL of the saved logo; '' without one
 */
export function LogoField({ present }: { present: string }) {
  const messages = usePortalMessages()
  const { fields } = messages
  const t = useSettingsTexts()
  const { field, fieldState } = useController<SettingsValues, 'logoImage'>({ name: 'logoImage' })
  const input = useRef<HTMLInputElement>(null)
  const [type, setType] = useState('')
  const shown = field.value === undefined ? present : field.value && `data:${type};base64,${field.value}`

  /**
   * Passes the bytes of a file to the form. Passes too many zeros for a file above MAX_LOGO_BYTES, so that the form
   * refuses it without reading it.
   */
  async function choose(file: File): Promise<void> {
    // Larger ones are not read: the rule of the field says what is wrong with them.
    const bytes =
      file.size > MAX_LOGO_BYTES
        ? new Uint8Array(MAX_LOGO_BYTES + 3)
        : new Uint8Array(await file.arrayBuffer())
    setType(file.type)
    field.onChange(base64Of(bytes))
    field.onBlur()
  }

  return (
    <Field
      label={fields.logoImage}
      description={t.logoHint}
      errorMessage={fieldState.error?.message && validationText(messages, fieldState.error.message)}
      isWide
      onLabelClick={() => input.current?.click()}
    >
      {({ messageId }) => (
        <div className={layout.row}>
          {shown === '' ? (
            <span className={layout.hint}>{t.logoNone}</span>
          ) : (
            <img className={styles.logo} src={shown} alt={t.logoAlt} />
          )}
          <Button ref={field.ref} aria-describedby={messageId} onClick={() => input.current?.click()}>
            {shown === '' ? t.logoChoose : t.logoChange}
          </Button>
          {shown !== '' && (
            <Button variant="quiet" onClick={() => field.onChange('')}>
              {t.logoRemove}
            </Button>
          )}
          <input
            ref={input}
            type="file"
            hidden
            aria-label={t.logoChoose}
            accept="image/png,image/jpeg,image/webp"
            onChange={({ target }) => {
              const [file] = target.files ?? []
              // The same file may be chosen again.
              target.value = ''
              if (file !== undefined) void choose(file)
            }}
          />
        </div>
      )}
    </Field>
  )
}

/** Returns bytes as Base64. */
function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCodePoint(byte)
  return btoa(text)
}
