import { writeFileSync } from 'node:fs'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'

/** Key pair of age: the public key (`recipient`), and the file of the private key. */
export interface AgeKeys {
  recipient: string
  /** Path of the file with the private key. */
  identityFile: string
}

/** Creates a key pair, and writes the private key to a file in the format of `age-keygen`. Replaces an existing file. */
export async function makeAgeKeys(identityFile: string): Promise<AgeKeys> {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  writeFileSync(identityFile, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600 })
  return { recipient, identityFile }
}

/** First line of every encrypted file, by which tests recognize one. */
export const AGE_HEADER = 'age-encryption.org/v1\n'
