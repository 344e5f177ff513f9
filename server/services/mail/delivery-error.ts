import type { MailProblem } from '../../../contract/settings.ts'
import { messageOf } from '../../caught-errors.ts'

/** Most characters of a mail server's response that are shown. */
const DETAIL_CHARACTERS = 300

/** Fields that nodemailer sets on an error in addition to its message. */
interface MailError {
  code?: string
  command?: string
  response?: string
  syscall?: string
}

/** Kinds of problems by the error code of nodemailer. */
const BY_CODE: Record<string, MailProblem> = {
  EAUTH: 'login',
  ENOAUTH: 'login',
  EDNS: 'unknownHost',
  ETLS: 'noTls',
  ETIMEDOUT: 'timeout',
  EABORT: 'timeout',
}

/** Patterns of problems that only the system's message reveals, in the order in which they are tested. */
const BY_MESSAGE: readonly [RegExp, MailProblem][] = [
  [/certificate|self-signed|altname|CERT_/i, 'certificate'],
  [
    /unsupported protocol|protocol version|no protocols available|no shared cipher|handshake failure|key too small/i,
    'oldTls',
  ],
  [/wrong version number|SSL routines|EPROTO/i, 'noTls'],
  [/ENOTFOUND|EAI_AGAIN|getaddrinfo/, 'unknownHost'],
  [/ETIMEDOUT|time-?out/i, 'timeout'],
  [/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ECONNRESET|closed unexpectedly/, 'refused'],
]

/**
 * Returns the kind of problem with which a mail could not be sent, and the message of the server or the system (`detail`). The
 * message is empty if another program than a mail server responded.
 */
export function problemOf(error: unknown): { problem: MailProblem; detail: string } {
  const { code = '', command = '', response, syscall } = error as MailError
  const message = messageOf(error)
  // Another program that listens there, for example SSH, must not be read through the portal.
  const isForeign = response !== undefined && !/^\d{3}(?:[ -]|$)/.test(response)
  const detail = isForeign
    ? ''
    : (response ?? message).replaceAll(/\s+/g, ' ').trim().slice(0, DETAIL_CHARACTERS)
  return { problem: kindOf(), detail }

  /** Returns the kind of the problem; `other` for an unknown one. */
  function kindOf(): MailProblem {
    // Errors of the outbox: its folder is missing or cannot be written.
    if (syscall === 'mkdir' || syscall === 'open' || syscall === 'rename') return 'folder'
    if (code === 'EENVELOPE') return command === 'MAIL FROM' ? 'sender' : 'recipient'
    if (error instanceof Error && error.name === 'TimeoutError') return 'timeout'
    return BY_CODE[code] ?? BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ?? 'other'
  }
}
