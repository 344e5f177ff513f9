import { createCipheriv } from 'node:crypto'
import { DEFAULT_ENVELOPE } from '../../contract/envelope.ts'

/** A request body with this text in the envelope, which need not be JSON. */
export function bodyOf(text: string): string {
  const cipher = createCipheriv('aes-256-cbc', DEFAULT_ENVELOPE.key, DEFAULT_ENVELOPE.iv)
  return JSON.stringify({ DATA: cipher.update(text, 'utf8', 'base64') + cipher.final('base64') })
}
