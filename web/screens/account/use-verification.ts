import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState, type FormEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import { CERTIFY_SECONDS, CERTIFY_TRIES, CERTIFY_TYPE, certifyEmail } from '../../../contract/account.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { CallError, type CallErrorCode } from '../../api/call-error.ts'
import { callWithMessage } from '../../api/client.ts'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import { useBusy } from '../../forms/use-busy.tsx'
import { useFormDraft } from '../../forms/use-form-draft.tsx'
import { portalMessages } from '../../language.tsx'
import { dialogs, type AlertOptions } from '../../ui/dialogs.ts'
import { showToast } from '../../ui/toasts.ts'
import {
  deleteCertification,
  storeCertification,
  readCertification,
  type CertifyType,
} from './remembered-verification.ts'

/** Values of a form with an email verification: the address, the code and its other fields. */
export type CertifiedValues = Record<'email' | 'certificationCode', string> & Record<string, string>

/** Configuration of a form with an email verification: its fields and the calls of its two submits. */
interface CertifiedFlow<Values extends CertifiedValues> {
  /** Storage key of the values that survive a reload of the tab; null to store none. */
  type: CertifyType | null
  empty: CertifiedValues
  /** Schemas of the first submit, and of the second one, which includes the code. */
  main: z.ZodMiniType<Values, Values>
  full: z.ZodMiniType<Values, Values>
  /** Fields that are stored; never a password. */
  storedFields: readonly string[]
  /** True to store them on every input, not only once a code is sent (rules/account#sign-up-kept). */
  storesInput?: boolean
  /** The first submit: sends the code by email. @returns the server's message if the email became a file, else '' */
  send: (values: CertifiedValues) => Promise<string>
  /** Returns whether the first submit may continue: the ID check of the sign-up. */
  mayCertify?: () => Promise<boolean>
  /** The second submit. @returns the alert that is shown before the navigation */
  finish: (values: Values) => Promise<AlertOptions & { foundId?: string; typedId?: string }>
  /** Fields at which errors are shown, by error code. */
  refusals?: Partial<Record<CallErrorCode, string>>
  /**
   * Runs after the second submit, whose result is then a toast if it is text. By default the page navigates to the
   * login after the alert.
   */
  afterwards?: () => void | Promise<void>
}

/**
 * Creates the `send` of a form before login: requests by email a code that is valid only for the values of `subject`
 * (`certifyEmail`). It returns the server's message if the email became a file, else ''.
 */
export const certifyFor =
  (
    certificationType: CertifyType,
    subject: (values: CertifiedValues) => Omit<InputOf<typeof certifyEmail>, 'certificationType'>,
  ) =>
  async (values: CertifiedValues) =>
    (await callWithMessage(certifyEmail, { ...subject(values), certificationType })).msg

/** State and actions of an email verification (rules/account#certification-screen). */
export interface Certification {
  /** True in the state 'code sent', false in 'not certified'. */
  isSent: boolean
  /** When the code expires, in milliseconds since 1970; undefined without a code, and after the second submit. */
  deadline: number | undefined
  /** Number of codes that were sent; the text of a second one differs. */
  sendings: number
  /** The server's message if the email became a file, else ''. */
  written: string
  /** Whether the first submit is pending; `overlay` covers the page then. */
  isSending: boolean
  overlay: ReactNode
  /** Whether the second submit is pending. */
  isFinishing: boolean
  /** Whether the second submit is pending or has succeeded, so that the deadline no longer matters. */
  isSettled: boolean
  /** Whether the attempts of this code are used up. */
  isExhausted: boolean
  /** Whether the form was restored after a reload. */
  isRecalled: boolean
  /** Returns whether a field is read-only: in 'code sent', except for fields to type again or to correct. */
  isLocked: (field: string) => boolean
  submit: (event: FormEvent) => void
  resend: () => void
  /** Returns to 'not certified'. */
  changeEmail: () => void
  /** Returns to 'not certified' and shows that the code has expired. Call it when the countdown ends. */
  expire: () => void
}

/** A form with its email verification. */
export interface CertifiedForm<Values extends CertifiedValues> {
  form: UseFormReturn<CertifiedValues, unknown, Values>
  certification: Certification
  /** Offer of an earlier draft. */
  draftOffer: ReactNode
}

/**
 * Manages the email verification of a form. The first submit sends a code by email, starts a deadline and makes fields
 * read-only. The second submit sends the code with the form. After the deadline, or an error of ID or email, the form
 * is 'not certified' again. A reload of the tab keeps the state until the deadline, and the values of `storedFields`
 * also after it, unless `type` is null.
 */
export function useCertification<Values extends CertifiedValues>(
  flow: CertifiedFlow<Values>,
): CertifiedForm<Values> {
  const { type, refusals = {} } = flow
  const navigate = useNavigate()
  const { during, isBusy, overlay } = useBusy()
  const [recalled] = useState(() => (type === null ? undefined : readCertification(type)))
  const [deadline, setDeadline] = useState(() =>
    recalled?.deadline !== undefined && recalled.deadline > Date.now() ? recalled.deadline : undefined,
  )
  const [isRecalled, setIsRecalled] = useState(
    deadline !== undefined || (recalled !== undefined && recalled.deadline === undefined),
  )
  const [sendings, setSendings] = useState(deadline !== undefined ? 1 : 0)
  const [written, setWritten] = useState('')
  const [finishing, setFinishing] = useState<'pending' | 'done'>()
  const [wrongCodes, setWrongCodes] = useState(0)
  // Fields that stay editable in 'code sent': passwords, which a reload does not restore, and rejected fields.
  const [editable, setEditable] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        deadline !== undefined
          ? Object.keys(flow.empty).filter((name) => !(name in (recalled?.values ?? {})))
          : [],
      ),
  )
  const isSent = deadline !== undefined
  const form = useSchemaForm<CertifiedValues, Values>(isSent ? flow.full : flow.main, {
    ...flow.empty,
    ...recalled?.values,
  })

  const deleteStored = () => {
    if (type !== null) deleteCertification(type)
  }
  const draft = useFormDraft(form, {
    about: type ?? 'own e-mail',
    onlyOnServerFailure: type !== CERTIFY_TYPE.signUp,
    keepOnLeave: true,
  })

  const valuesToStore = (values: CertifiedValues): Record<string, string> =>
    Object.fromEntries(flow.storedFields.map((name) => [name, values[name] ?? '']))
  const storeInput = useEffectEvent(() => {
    if (type === null || finishing === 'done') return
    const values = form.getValues()
    const stored = valuesToStore(values)
    // A preselected value is no input.
    const isTyped = flow.storedFields.some((name) => values[name] !== form.formState.defaultValues?.[name])
    const hasInput = (isTyped || recalled !== undefined) && Object.values(stored).some((text) => text !== '')
    if (isSent || hasInput) storeCertification(type, { ...(isSent && { deadline }), values: stored })
    else deleteStored()
  })
  useEffect(() => {
    if (flow.storesInput !== true) return
    return form.subscribe({ formState: { values: true }, callback: () => storeInput() })
  }, [form, flow.storesInput])

  /** Returns to the state 'not certified'. */
  function resetToStart(): void {
    deleteStored()
    flushSync(() => {
      setDeadline(undefined)
      setIsRecalled(false)
    })
    form.setValue('certificationCode', '')
    form.clearErrors('certificationCode')
  }

  async function showExpired(): Promise<void> {
    await dialogs.alert({ message: portalMessages().account.certificationExpired })
    form.setFocus('email')
  }

  useEffect(() => {
    if (deadline !== undefined) form.setFocus([...editable][0] ?? 'certificationCode')
    else if (recalled?.deadline !== undefined) {
      // The code expired during the reload: restore the fields, but not the code.
      deleteStored()
      void showExpired()
    }
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  async function send(values: CertifiedValues): Promise<void> {
    let msg: string
    try {
      msg = await during(portalMessages().account.certifying, () => flow.send(values))
    } catch (error) {
      return showRefusalOnField(error, form, refusals)
    }
    const until = Date.now() + CERTIFY_SECONDS * 1000
    if (type !== null) storeCertification(type, { deadline: until, values: valuesToStore(values) })
    flushSync(() => {
      setDeadline(until)
      setSendings((count) => count + 1)
      setWritten(msg)
      setWrongCodes(0)
      if (!isSent) setEditable(new Set())
    })
    // The errors of the first submit do not apply to the code.
    form.reset(undefined, { keepValues: true })
    form.setValue('certificationCode', '')
    form.setFocus('certificationCode')
  }

  async function finish(values: Values): Promise<void> {
    setFinishing('pending')
    let result: Awaited<ReturnType<typeof flow.finish>>
    try {
      result = await flow.finish(values)
    } catch (error) {
      flushSync(() => setFinishing(undefined))
      return showError(error)
    }
    deleteStored()
    draft.forget()
    flushSync(() => setFinishing('done'))
    const { foundId, typedId, ...alert } = result
    // The own email has changed on a page that stays (rules/frame#toasts).
    if (flow.afterwards !== undefined && typeof alert.message === 'string') showToast(alert.message)
    else await dialogs.alert(alert)
    const state = {
      ...(foundId !== undefined && { foundId }),
      ...(typedId !== undefined && { typedId }),
    }
    await (flow.afterwards === undefined ? navigate({ to: '/', replace: true, state }) : flow.afterwards())
  }

  /**
   * Shows a refusal of the second submit. One about ID or email returns to 'not certified'; the field of another one
   * becomes editable.
   */
  async function showError(error: unknown): Promise<void> {
    if (error instanceof CallError && error.code === 'CERTIFICATION_FAILED') {
      setWrongCodes((count) => count + 1)
      form.reset(undefined, { keepValues: true })
      await showRefusalOnField(error, form, { CERTIFICATION_FAILED: 'certificationCode' })
      // After the last attempt the field asks for a new code instead.
      if (wrongCodes + 1 >= CERTIFY_TRIES) form.clearErrors('certificationCode')
      form.setFocus('certificationCode', { shouldSelect: true })
      return
    }
    const field = error instanceof CallError ? (refusals[error.code] ?? error.field) : undefined
    // The code is bound to ID and email, so another value needs another code. Other fields are corrected in place.
    if (field === 'userId' || field === 'email') resetToStart()
    else if (field !== undefined) setEditable((names) => new Set([...names, ...fieldsToCorrect(field)]))
    await showRefusalOnField(error, form, refusals)
  }

  async function submit(event: FormEvent): Promise<void> {
    let valid: Values | undefined
    let mayGoOn = true
    const check = async () => {
      if (!isSent && flow.mayCertify) mayGoOn = await flow.mayCertify()
    }
    await form.handleSubmit((values) => {
      valid = values
      return check()
    }, check)(event)
    // Only after react-hook-form has finished this submit, because the next state begins with a clean form.
    if (valid === undefined || !mayGoOn || finishing === 'done') return
    await (isSent ? finish(valid) : send(valid))
  }

  return {
    form,
    // The tab restores its own values; only the draft of another tab is offered.
    draftOffer: draft.offer,
    certification: {
      isSent,
      deadline: finishing === 'done' ? undefined : deadline,
      sendings,
      written,
      isSending: isBusy,
      overlay,
      isFinishing: finishing === 'pending',
      isSettled: finishing !== undefined,
      isExhausted: wrongCodes >= CERTIFY_TRIES,
      isRecalled,
      isLocked: (field) => isSent && !editable.has(field),
      submit: (event) => void submit(event),
      resend: () => void send(form.getValues()),
      changeEmail: () => {
        resetToStart()
        form.setFocus('email')
      },
      expire: () => {
        if (!isSent) return
        resetToStart()
        void showExpired()
      },
    },
  }
}

/** Returns the fields to correct together: a password needs its confirmation. */
function fieldsToCorrect(field: string): string[] {
  return field === 'password' ? ['password', 'confirmation'] : [field]
}
