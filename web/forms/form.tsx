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
import type { DraftPlace } from './use-kept-draft.ts'

/**
 * The state of a form that follows a schema.
 * @param told when a field says what is wrong with it; on leaving it, unless told
 */
export function useSchemaForm<Values extends FieldValues, Checked extends FieldValues = Values>(
  schema: z.ZodMiniType<Checked, Values>,
  defaultValues: DefaultValues<Values>,
  told: 'onTouched' | 'onSubmit' = 'onTouched',
): UseFormReturn<Values, unknown, Checked> {
  return useForm({ defaultValues, resolver: standardSchemaResolver(schema), mode: told })
}

interface Props<Values extends FieldValues, Checked extends FieldValues> {
  form: UseFormReturn<Values, unknown, Checked>
  onSubmit: SubmitHandler<Checked>
  /** Submit was stopped, because a field is wrong. */
  onWrong?: SubmitErrorHandler<Values> | undefined
  className?: string | undefined
  /**
   * What its draft is called, where the address does not say which form it is, or of which record; a string keeps it only
   * when a failure of the server leads away, null where the form keeps drafts of its own.
   */
  draft?: DraftPlace<Values> | string | null | undefined
  children: ReactNode
}

/** A form whose fields (bound-text.tsx, bound-fields.tsx) find their state by themselves. */
export function Form<Values extends FieldValues, Checked extends FieldValues>(props: Props<Values, Checked>) {
  const { form, onSubmit, onWrong, className, draft, children } = props
  const [address] = useState(() => location.pathname + location.search)
  return (
    <FormProvider {...form}>
      <form
        noValidate
        className={className}
        onSubmit={(event) => {
          // React hands the submit of a form in a dialog on to the form that opened it.
          event.stopPropagation()
          void form.handleSubmit(onSubmit, onWrong)(event)
        }}
      >
        {draft !== null && <KeptDraft form={form} place={placeOf(draft, address)} />}
        {children}
      </form>
    </FormProvider>
  )
}

function placeOf<Values extends FieldValues>(
  draft: DraftPlace<Values> | string | undefined,
  address: string,
): DraftPlace<Values> {
  if (draft === undefined) return { about: address }
  return typeof draft === 'string' ? { about: draft, isOnFailure: true } : draft
}

function KeptDraft<Values extends FieldValues, Checked extends FieldValues>(props: {
  form: UseFormReturn<Values, unknown, Checked>
  place: DraftPlace<Values>
}) {
  return useFormDraft(props.form, props.place).offer
}
