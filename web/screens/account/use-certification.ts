import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useEffect, useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import {
  useForm,
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { CERTIFY_SECONDS, CERTIFY_TRIES, certifyEmail } from '../../../contract/account.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { CallError, type CallErrorCode } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { messages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { showRefusalOnField } from '../../forms/refusal.ts'
import {
  forgetCertification,
  keepCertification,
  recallCertification,
  type CertifyType,
} from './certification-memory.ts'

/** What every form with a certification has. */
export interface CertifiedValues extends FieldValues {
  email: string
  certificationCode: string
}

/** One of the three forms: what it asks, and what its two submits do. */
export interface CertifiedFlow<Values extends CertifiedValues, Answer> {
  type: CertifyType
  empty: Values
  /** The rules of the first submit, and of the second, which brings the code along. */
  main: z.ZodMiniType<Values, Values>
  full: z.ZodMiniType<Values, Values>
  /** Fields that outlive a reload: never a password. */
  kept: readonly FieldPath<Values>[]
  /** Who is certified; the code is bound to this. */
  subject: (values: Values) => Omit<InputOf<typeof certifyEmail>, 'certificationType'>
  /** What stops the first submit besides the rules: the ID check of sign-up. */
  mayCertify?: () => boolean
  /** The second submit. */
  finish: (values: Values) => Promise<Answer>
  /** It succeeded: nothing expires any more. */
  onFinished: (answer: Answer) => Promise<void>
  /** The fields that its refusals are about. */
  refusals?: Partial<Record<CallErrorCode, FieldPath<Values>>>
}

/** The states of a certification (rules/account#certification-screen), as its screens see it. */
export interface Certification {
  /** 'code sent'; else 'not certified'. */
  isSent: boolean
  /** When the code is over; undefined also once it has done its work. */
  deadline: number | undefined
  /** How many codes this form has sent: a second one is said differently. */
  sendings: number
  /** The certify call is pending: the loading overlay shows. */
  isSending: boolean
  /** The second submit is pending. */
  isFinishing: boolean
  /** It is pending or has succeeded: its code came in time, whatever the clock says now. */
  isSettled: boolean
  /** Five wrong codes: only a new one helps. */
  isExhausted: boolean
  /** It goes on from before a reload. */
  isRecalled: boolean
  /** The main fields are read-only in 'code sent', except what has to be typed or mended again. */
  isLocked: (field: string) => boolean
  submit: (event: FormEvent) => void
  resend: () => void
  /** Back to 'not certified' by the person's own will. */
  changeEmail: () => void
  /** The countdown reached 0. */
  expire: () => void
}

/**
 * The certification, once for the three screens: 'not certified' → the first submit certifies →
 * 'code sent' with its deadline and read-only fields → the second submit sends the code with the form; at 0
 * it is 'not certified' again. A reload goes on where it was, as long as the code lives.
 */
export function useCertification<Values extends CertifiedValues, Answer>(
  flow: CertifiedFlow<Values, Answer>,
): { form: UseFormReturn<Values>; certification: Certification } {
  const { type } = flow
  const [recalled] = useState(() => recallCertification(type))
  const [deadline, setDeadline] = useState(() =>
    recalled !== undefined && recalled.deadline > Date.now() ? recalled.deadline : undefined,
  )
  const [isRecalled, setIsRecalled] = useState(deadline !== undefined)
  const [sendings, setSendings] = useState(isRecalled ? 1 : 0)
  const [isSending, setSending] = useState(false)
  const [isFinishing, setFinishing] = useState(false)
  const [isDone, setDone] = useState(false)
  const [wrongCodes, setWrongCodes] = useState(0)
  // What a reload took away (the passwords) or the server refused may be typed although a code is out.
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        isRecalled ? Object.keys(flow.empty).filter((name) => !(name in (recalled?.values ?? {}))) : [],
      ),
  )
  const isSent = deadline !== undefined
  const form = useForm<Values>({
    defaultValues: { ...flow.empty, ...recalled?.values } as DefaultValues<Values>,
    resolver: standardSchemaResolver(isSent ? flow.full : flow.main),
    mode: 'onTouched',
  })
  // The two fields that every such form has.
  const base = form as unknown as UseFormReturn<CertifiedValues>

  function toStart(): void {
    forgetCertification(type)
    flushSync(() => {
      setDeadline(undefined)
      setIsRecalled(false)
    })
    base.setValue('certificationCode', '')
    base.clearErrors('certificationCode')
  }

  async function tellExpiry(): Promise<void> {
    await dialogs.alert({ message: messages().account.certificationExpired })
    base.setFocus('email')
  }

  useEffect(() => {
    // The tab was away when the time ran out: what was typed is back, the code is not.
    if (recalled === undefined || recalled.deadline > Date.now()) return
    forgetCertification(type)
    void tellExpiry()
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  useEffect(() => {
    if (isRecalled) base.setFocus([...opened][0] ?? 'certificationCode')
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  async function send(values: Values): Promise<void> {
    setSending(true)
    try {
      const subject = flow.subject(values)
      await call(certifyEmail, { ...subject, certificationType: type })
    } catch (error) {
      // Gone before the alert comes, so that the focus finds its way back to the button.
      flushSync(() => setSending(false))
      await showRefusalOnField(error, form, {})
      return
    }
    const until = Date.now() + CERTIFY_SECONDS * 1000
    const kept = flow.kept.map((name) => [name, String(values[name])])
    keepCertification(type, { deadline: until, values: Object.fromEntries(kept) as Record<string, string> })
    flushSync(() => {
      setSending(false)
      setDeadline(until)
      setSendings((count) => count + 1)
      setWrongCodes(0)
      if (!isSent) setOpened(new Set())
    })
    // The code is a new question: what was said of the first submit is not said of it.
    form.reset(undefined, { keepValues: true })
    base.setValue('certificationCode', '')
    base.setFocus('certificationCode')
  }

  async function finish(values: Values): Promise<void> {
    setFinishing(true)
    let answer: Answer
    try {
      answer = await flow.finish(values)
    } catch (error) {
      flushSync(() => setFinishing(false))
      await tellWhatIsWrong(error)
      return
    }
    forgetCertification(type)
    flushSync(() => {
      setFinishing(false)
      setDone(true)
    })
    await flow.onFinished(answer)
  }

  async function tellWhatIsWrong(error: unknown): Promise<void> {
    if (error instanceof CallError && error.code === 'CERTIFICATION_FAILED') {
      setWrongCodes((count) => count + 1)
      form.reset(undefined, { keepValues: true })
      await showRefusalOnField(error, base, { CERTIFICATION_FAILED: 'certificationCode' })
      // The fifth: the field says that only a new one helps.
      if (wrongCodes + 1 >= CERTIFY_TRIES) base.clearErrors('certificationCode')
      base.setFocus('certificationCode', { shouldSelect: true })
      return
    }
    const field = error instanceof CallError ? (flow.refusals?.[error.code] ?? error.field) : undefined
    // The code is bound to these two: another value needs another code. Everything else is mended in place.
    if (field === 'userId' || field === 'email') toStart()
    else if (field !== undefined) setOpened((names) => new Set([...names, ...twinsOf(field)]))
    await showRefusalOnField(error, form, flow.refusals ?? {})
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
    if (valid === undefined || !mayGoOn || isDone) return
    await (isSent ? finish(valid) : send(valid))
  }

  return {
    form,
    certification: {
      isSent,
      deadline: isDone ? undefined : deadline,
      sendings,
      isSending,
      isFinishing,
      isSettled: isFinishing || isDone,
      isExhausted: wrongCodes >= CERTIFY_TRIES,
      isRecalled,
      isLocked: (field) => isSent && !opened.has(field),
      submit: (event) => void submit(event),
      resend: () => void send(form.getValues()),
      changeEmail: () => {
        toStart()
        base.setFocus('email')
      },
      expire: () => {
        if (!isSent) return
        toStart()
        void tellExpiry()
      },
    },
  }
}

/** A refused password is mended together with its confirmation. */
function twinsOf(field: string): string[] {
  return field === 'password' ? ['password', 'confirmation'] : [field]
}
