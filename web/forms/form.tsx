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
 * Creates a form (react-hook-form) whose values a schema checks. Submitting passes the values that the schema
 * returns.
 * @param mode when a field shows its error: 'onTouched' as soon as the focus leaves it, 'onSubmit' only after a
 * submit
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
   * Storage of its input as a draft in this browser. Undefined: on every input, with the URL as storage key.
   * Options: as they state. A string: the storage key of a draft that is stored only when a server failure redirects.
   * Null: not at all, because the screen stores drafts itself or must not.
   */
  draft?: DraftOptions<Values> | string | null | undefined
  children: ReactNode
}

/**
 * Renders a form and provides its state to its fields (bound-text.tsx, bound-fields.tsx). Submitting calls
 * `onSubmit` if all fields are valid, otherwise `onWrong`. Unless `draft` is null, stores the input as a draft and
 * offers an earlier draft above the fields.
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

/** Stores the draft of a form as its options state, and shows the offer to resume or discard an earlier one. */
function AutosavedDraft<Values extends FieldValues, Checked extends FieldValues>(props: {
  form: UseFormReturn<Values, unknown, Checked>
  options: DraftOptions<Values>
}) {
  return useFormDraft(props.form, props.options).offer
}
