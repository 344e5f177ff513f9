import type { MailProblem } from '../../../contract/settings.ts'
import { messageOf } from './transport.ts'

/** What a mail server answers with is shown as it is, up to this many characters. */
const DETAIL_CHARACTERS = 300

/** What nodemailer sets beside the message of an error. */
interface MailError {
  code?: string
  command?: string
  response?: string
  syscall?: string
}

/** What nodemailer says by a code of its own. */
const BY_CODE: Record<string, MailProblem> = {
  EAUTH: 'login',
  ENOAUTH: 'login',
  EDNS: 'unknownHost',
  ETLS: 'noTls',
  ETIMEDOUT: 'timeout',
  EABORT: 'timeout',
}

/** The rest, of which only the system's message tells, in the order in which they are looked for. */
const BY_MESSAGE: readonly [RegExp, MailProblem][] = [
  [/certificate|self-signed|altname|CERT_/i, 'certificate'],
  [/wrong version number|SSL routines|EPROTO/i, 'noTls'],
  [/ENOTFOUND|EAI_AGAIN|getaddrinfo/, 'unknownHost'],
  [/ETIMEDOUT|time-?out/i, 'timeout'],
  [/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ECONNRESET|closed unexpectedly/, 'refused'],
]

/** Why a mail could not be sent: a kind that has words of its own, and what the server or the system said. */
export function problemOf(error: unknown): { problem: MailProblem; detail: string } {
  const { code = '', command = '', response, syscall } = error as MailError
  const message = messageOf(error)
  const detail = (response ?? message).replaceAll(/\s+/g, ' ').trim().slice(0, DETAIL_CHARACTERS)
  return { problem: kindOf(), detail }

  function kindOf(): MailProblem {
    // Of the outbox: a folder that is not there or may not be written.
    if (syscall === 'mkdir' || syscall === 'open' || syscall === 'rename') return 'folder'
    if (code === 'EENVELOPE') return command === 'MAIL FROM' ? 'sender' : 'recipient'
    if (error instanceof Error && error.name === 'TimeoutError') return 'timeout'
    return BY_CODE[code] ?? BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ?? 'other'
  }
}
