import { writeFileSync } from 'node:fs'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'

/** A new pair of keys of age. */
export interface AgeKeys {
  recipient: string
  /** The file with the private key. */
  identityFile: string
}

/** Makes a pair of keys, and writes the private one as `age-keygen` does. */
export async function makeAgeKeys(identityFile: string): Promise<AgeKeys> {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  writeFileSync(identityFile, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600 })
  return { recipient, identityFile }
}

/** The first line of every encrypted file. */
export const AGE_HEADER = 'age-encryption.org/v1\n'
