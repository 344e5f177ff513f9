import * as z from 'zod/mini'
import { line } from '../../../../../contract/fields.ts'
import { BoundText } from '../../../../forms/bound-text.tsx'
import { FormDialog } from '../../../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../../../forms/form.tsx'
import { usePortalMessages } from '../../../../language.tsx'
import { targetOf } from '../../read/links.tsx'

/**
 * Returns the target that a typed text means: a page, a site also without its scheme, or an email address. Undefined if
 * `targetOf` does not allow it.
 */
export function typedTarget(text: string): string | undefined {
  const typed = text.trim()
  const isMail = /^[^\s@:/]+@[^\s@/]+\.\w+$/.test(typed)
  const isSite = /^[^\s/:@]+\.[^\s:@]+$/.test(typed)
  return targetOf(isMail ? `mailto:${typed}` : isSite ? `https://${typed}` : typed, location.origin)?.href
}

const isTarget = (text: string) => text.trim() === '' || typedTarget(text) !== undefined
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

/** Shows a dialog that asks for the target of a link, or for the words that describe an image. */
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
