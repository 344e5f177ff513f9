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
import { showRefusalOnField } from '../../forms/refusal.ts'
import { useBusy } from '../../forms/use-busy.tsx'
import { useFormDraft } from '../../forms/use-form-draft.tsx'
import { portalMessages } from '../../language.tsx'
import { dialogs, type AlertOptions } from '../../ui/dialogs.ts'
import {
  forgetCertification,
  keepCertification,
  recallCertification,
  type CertifyType,
} from './certification-memory.ts'

/** What a form with a certification asks: these two, and texts of its own. */
export type CertifiedValues = Record<'email' | 'certificationCode', string> & Record<string, string>

/** A form with a certification: what it asks, and what its two submits do. */
interface CertifiedFlow<Values extends CertifiedValues> {
  /** What is kept for a reload of the tab stands under it; null: nothing is. */
  type: CertifyType | null
  empty: CertifiedValues
  /** The rules of the first submit, and of the second, which brings the code along. */
  main: z.ZodMiniType<Values, Values>
  full: z.ZodMiniType<Values, Values>
  /** Fields that outlive a reload: never a password. */
  kept: readonly string[]
  /** They do so from the first letter on, and not only while a code is out (rules/account#sign-up-kept). */
  isKeptWhileTyped?: boolean
  /** The first submit: mails the code. @returns what the server says if the mail was written to a file; '' if it was sent */
  send: (values: CertifiedValues) => Promise<string>
  /** What stops the first submit besides the rules: the ID check of sign-up. */
  mayCertify?: () => boolean
  /** The second submit; answers what is told then, before the person goes on. */
  finish: (values: Values) => Promise<AlertOptions & { foundId?: string }>
  /** The fields that its refusals are about. */
  refusals?: Partial<Record<CallErrorCode, string>>
  /** Where the person goes in the end; to the login, unless told. */
  afterwards?: () => void | Promise<void>
}

/** The first submit of the three forms before a session; the code is bound to what is sent. */
export const certifyFor =
  (
    certificationType: CertifyType,
    subject: (values: CertifiedValues) => Omit<InputOf<typeof certifyEmail>, 'certificationType'>,
  ) =>
  async (values: CertifiedValues) =>
    (await callWithMessage(certifyEmail, { ...subject(values), certificationType })).msg

/** The states of a certification (rules/account#certification-screen), as its screens see it. */
export interface Certification {
  /** 'code sent'; else 'not certified'. */
  isSent: boolean
  /** When the code is over; undefined also once it has done its work. */
  deadline: number | undefined
  /** How many codes this form has sent: a second one is said differently. */
  sendings: number
  /** The server's message if the code was written to a file; '' if it was mailed. */
  written: string
  /** The certify call is pending: the overlay covers the page. */
  isSending: boolean
  overlay: ReactNode
  /** The second submit is pending. */
  isFinishing: boolean
  /** It is pending or has succeeded: its code came in time, whatever the clock says now. */
  isSettled: boolean
  /** Five wrong codes: only a new one helps. */
  isExhausted: boolean
  /** It goes on from before a reload. */
  isRecalled: boolean
  /** The main fields are read-only in 'code sent', except those that have to be typed again or corrected. */
  isLocked: (field: string) => boolean
  submit: (event: FormEvent) => void
  resend: () => void
  /** Back to 'not certified' by the person's own will. */
  changeEmail: () => void
  /** The countdown reached 0. */
  expire: () => void
}

/** A form with its certification. */
export interface CertifiedForm<Values extends CertifiedValues> {
  form: UseFormReturn<CertifiedValues, unknown, Values>
  certification: Certification
  /** What was typed before the server failed, while it is offered. */
  draftOffer: ReactNode
}

/**
 * The certification, once for all screens: 'not certified' → the first submit certifies →
 * 'code sent' with its deadline and read-only fields → the second submit sends the code with the form; at 0
 * it is 'not certified' again. A reload goes on where it was, as long as the code lives.
 */
export function useCertification<Values extends CertifiedValues>(
  flow: CertifiedFlow<Values>,
): CertifiedForm<Values> {
  const { type, refusals = {} } = flow
  const navigate = useNavigate()
  const { during, isBusy, overlay } = useBusy()
  const [recalled] = useState(() => (type === null ? undefined : recallCertification(type)))
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
  // What a reload took away (the passwords) or the server refused may be typed although a code is out.
  const [opened, setOpened] = useState<ReadonlySet<string>>(
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

  const forget = () => {
    if (type !== null) forgetCertification(type)
  }
  const draft = useFormDraft(form, {
    about: type ?? 'own e-mail',
    onlyOnServerFailure: type !== CERTIFY_TYPE.signUp,
    keepOnLeave: true,
  })

  const keepTyped = useEffectEvent(() => {
    if (type === null || finishing === 'done') return
    const values = form.getValues()
    const kept = Object.fromEntries(flow.kept.map((name) => [name, values[name] ?? '']))
    // What is chosen beforehand was not typed.
    const isTyped = flow.kept.some((name) => values[name] !== form.formState.defaultValues?.[name])
    const isSomething = (isTyped || recalled !== undefined) && Object.values(kept).some((text) => text !== '')
    if (isSent || isSomething) {
      keepCertification(type, { ...(isSent && { deadline }), values: kept })
    } else forget()
  })
  useEffect(() => {
    if (flow.isKeptWhileTyped !== true) return
    return form.subscribe({ formState: { values: true }, callback: () => keepTyped() })
  }, [form, flow.isKeptWhileTyped])

  function toStart(): void {
    forget()
    flushSync(() => {
      setDeadline(undefined)
      setIsRecalled(false)
    })
    form.setValue('certificationCode', '')
    form.clearErrors('certificationCode')
  }

  async function tellExpiry(): Promise<void> {
    await dialogs.alert({ message: portalMessages().account.certificationExpired })
    form.setFocus('email')
  }

  useEffect(() => {
    if (deadline !== undefined) form.setFocus([...opened][0] ?? 'certificationCode')
    else if (recalled?.deadline !== undefined) {
      // The tab was away when the time ran out: what was typed is back, the code is not.
      forget()
      void tellExpiry()
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
    const kept = flow.kept.map((name): [string, string] => [name, values[name] ?? ''])
    if (type !== null) keepCertification(type, { deadline: until, values: Object.fromEntries(kept) })
    flushSync(() => {
      setDeadline(until)
      setSendings((count) => count + 1)
      setWritten(msg)
      setWrongCodes(0)
      if (!isSent) setOpened(new Set())
    })
    // The code is a new question: what was said of the first submit is not said of it.
    form.reset(undefined, { keepValues: true })
    form.setValue('certificationCode', '')
    form.setFocus('certificationCode')
  }

  async function finish(values: Values): Promise<void> {
    setFinishing('pending')
    let told: Awaited<ReturnType<typeof flow.finish>>
    try {
      told = await flow.finish(values)
    } catch (error) {
      flushSync(() => setFinishing(undefined))
      return tellWhatIsWrong(error)
    }
    forget()
    draft.forget()
    flushSync(() => setFinishing('done'))
    const { foundId, ...alert } = told
    await dialogs.alert(alert)
    const state = foundId === undefined ? {} : { foundId }
    await (flow.afterwards === undefined ? navigate({ to: '/', replace: true, state }) : flow.afterwards())
  }

  async function tellWhatIsWrong(error: unknown): Promise<void> {
    if (error instanceof CallError && error.code === 'CERTIFICATION_FAILED') {
      setWrongCodes((count) => count + 1)
      form.reset(undefined, { keepValues: true })
      await showRefusalOnField(error, form, { CERTIFICATION_FAILED: 'certificationCode' })
      // The fifth: the field says that only a new one helps.
      if (wrongCodes + 1 >= CERTIFY_TRIES) form.clearErrors('certificationCode')
      form.setFocus('certificationCode', { shouldSelect: true })
      return
    }
    const field = error instanceof CallError ? (refusals[error.code] ?? error.field) : undefined
    // The code is bound to these two: another value needs another code. Everything else is corrected in place.
    if (field === 'userId' || field === 'email') toStart()
    else if (field !== undefined) setOpened((names) => new Set([...names, ...twinsOf(field)]))
    await showRefusalOnField(error, form, refusals)
  }

  async function submit(event: FormEvent): Promise<void> {
    let valid: Values | undefined
    let mayGoOn = true
    const check = () => {
      if (!isSent && flow.mayCertify) mayGoOn = flow.mayCertify()
    }
    await form.handleSubmit((values) => {
      valid = values
      check()
    }, check)(event)
    // After react-hook-form is through with this submit, because a new phase begins with a clean form.
    if (valid === undefined || !mayGoOn || finishing === 'done') return
    await (isSent ? finish(valid) : send(valid))
  }

  return {
    form,
    // What the tab keeps is there without being asked for; what another one left is offered.
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
      isLocked: (field) => isSent && !opened.has(field),
      submit: (event) => void submit(event),
      resend: () => void send(form.getValues()),
      changeEmail: () => {
        toStart()
        form.setFocus('email')
      },
      expire: () => {
        if (!isSent) return
        toStart()
        void tellExpiry()
      },
    },
  }
}

/** A refused password is corrected together with its confirmation. */
function twinsOf(field: string): string[] {
  return field === 'password' ? ['password', 'confirmation'] : [field]
}
