import * as z from 'zod/mini'
import { line } from '../../../../../contract/fields.ts'
import { BoundText } from '../../../../forms/bound-text.tsx'
import { FormDialog } from '../../../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../../../forms/form.tsx'
import { usePortalMessages } from '../../../../language.tsx'
import { targetOf } from '../../read/links.tsx'

/**
 * Returns the URL that a typed text means: a page of the portal, a site with or without its scheme, or an email
 * address.
 * @returns undefined if `targetOf` does not allow it
 */
export function typedTarget(text: string): string | undefined {
  const typed = text.trim()
  const isMail = /^[^\s@:/]+@[^\s@/]+\.\w+$/.test(typed)
  const isSite = /^[^\s/:@]+\.[^\s:@]+$/.test(typed)
  return targetOf(isMail ? `mailto:${typed}` : isSite ? `https://${typed}` : typed, location.origin)?.href
}

/** Returns whether a typed text is empty or a target that is allowed. */
const isTarget = (text: string) => text.trim() === '' || typedTarget(text) !== undefined
/** Schemas of the dialog by its kind. */
const FORMS = {
  link: z.object({ value: z.string().check(z.refine(isTarget, 'urlFormat')) }),
  describe: z.object({ value: line(80) }),
}

interface Props {
  kind: keyof typeof FORMS
  value: string
  /** Receives the target of a link, '' for none, or the description of an image. */
  onSave: (value: string) => void
  onClose: () => void
}

/**
 * Shows a dialog that asks for the target of a link, or for the words that describe an image. Its button passes
 * the result to `onSave`. A target that is not allowed is an error at the field.
 */
export function TargetDialog({ kind, value, onSave, onClose }: Props) {
  const t = usePortalMessages().notices.tools
  const form = useSchemaForm<{ value: string }>(FORMS[kind], { value }, 'onSubmit')
  return (
    <FormDialog
      title={t[kind]}
      form={form}
      submitLabel={t.apply}
      onClose={onClose}
      onSubmit={(typed) => onSave(kind === 'link' ? (typedTarget(typed.value) ?? '') : typed.value)}
    >
      <BoundText<{ value: string }>
        name="value"
        label={kind === 'link' ? t.target : t.describe}
        description={kind === 'link' ? t.targetHint : t.describeHint}
        autoComplete="off"
      />
    </FormDialog>
  )
}
