import type { Config } from '../config.ts'
import type { OpenDatabase } from '../db/open.ts'
import { forgetKeySecrets } from '../domains/keys/index.ts'
import { openKeySecret } from '../services/key-secret.ts'

/** Writes down an operator's word that key secrets are lost for good (rules/keys#changed-secret). */
export async function forgetForOperator(
  { db }: Pick<OpenDatabase, 'db'>,
  config: Config,
  say: (line: string) => void,
): Promise<void> {
  const keys = await forgetKeySecrets(db, openKeySecret(config))
  say(
    keys === 0
      ? 'No key needs a secret that is not there: nothing is forgotten.'
      : `${keys} keys are unknown from now on, until their programs ask for them again. With their secret in KEY_SECRET_OLD they would be good again.`,
  )
}
