import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState, type ReactNode } from 'react'
import {
  FormProvider,
  useForm,
  type DefaultValues,
  type FieldValues,
  type SubmitErrorHandler,
  type SubmitHandler,
  type UseFormReturn,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { useFormDraft } from './use-form-draft.tsx'
import type { DraftOptions } from './use-autosaved-draft.ts'

/**
 * Returns a form whose values a schema checks.
 * @param mode when a field shows its error; by default when the focus leaves it
 */
export function useSchemaForm<Values extends FieldValues, Checked extends FieldValues = Values>(
  schema: z.ZodMiniType<Checked, Values>,
  defaultValues: DefaultValues<Values>,
  mode: 'onTouched' | 'onSubmit' = 'onTouched',
): UseFormReturn<Values, unknown, Checked> {
  return useForm({ defaultValues, resolver: standardSchemaResolver(schema), mode })
}

interface Props<Values extends FieldValues, Checked extends FieldValues> {
  form: UseFormReturn<Values, unknown, Checked>
  onSubmit: SubmitHandler<Checked>
  /** Called if a field is invalid, instead of `onSubmit`. */
  onWrong?: SubmitErrorHandler<Values> | undefined
  className?: string | undefined
  /**
   * Options of its draft; by default its storage key is the URL. A string is the storage key of a draft that is stored
   * only before a server failure redirects. Null if the screen stores drafts itself, or none.
   */
  draft?: DraftOptions<Values> | string | null | undefined
  children: ReactNode
}

/**
 * Renders a form, provides its state to its fields (bound-text.tsx, bound-fields.tsx), stores its draft, and offers an
 * earlier one above them.
 */
export function Form<Values extends FieldValues, Checked extends FieldValues>(props: Props<Values, Checked>) {
  const { form, onSubmit, onWrong, className, draft, children } = props
  const [url] = useState(() => location.pathname + location.search)
  return (
    <FormProvider {...form}>
      <form
        noValidate
        className={className}
        onSubmit={(event) => {
          // React events bubble through portals: without this, a dialog's submit would reach the form that opened it.
          event.stopPropagation()
          void form.handleSubmit(onSubmit, onWrong)(event)
        }}
      >
        {draft !== null && <AutosavedDraft form={form} options={draftOptions(draft, url)} />}
        {children}
      </form>
    </FormProvider>
  )
}

/** Returns the options of a form's draft: those given, or only the storage key for a text or the URL. */
function draftOptions<Values extends FieldValues>(
  draft: DraftOptions<Values> | string | undefined,
  url: string,
): DraftOptions<Values> {
  if (draft === undefined) return { about: url }
  return typeof draft === 'string' ? { about: draft, onlyOnServerFailure: true } : draft
}

/** Stores the draft of a form, and shows the offer of an earlier one. */
function AutosavedDraft<Values extends FieldValues, Checked extends FieldValues>(props: {
  form: UseFormReturn<Values, unknown, Checked>
  options: DraftOptions<Values>
}) {
  return useFormDraft(props.form, props.options).offer
}
