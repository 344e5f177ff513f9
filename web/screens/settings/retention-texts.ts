import { retention as en } from '../../../contract/messages/en/retention.ts'
import { retention as ko, type RetentionTexts } from '../../../contract/messages/ko/retention.ts'
import { RETENTION, type RetentionKind } from '../../../contract/settings/retention.ts'
import { CERTIFICATE_LAWS, RETENTION_LAWS } from '../../../contract/law-references.ts'
import { citationsOf } from '../../../contract/laws.ts'
import type { KeptElsewhere } from '../../../contract/settings/retention.ts'
import { createTexts, useLanguage } from '../../language.tsx'

export const useRetentionTexts = createTexts({ ko, en })

/** Returns how long a kind of data is kept, as text in the unit of its setting. */
export const keptText = (t: RetentionTexts, kind: RetentionKind, keptFor: number) =>
  t.kept[RETENTION[kind].unit](keptFor)

/**
 * Returns a function that formats the reason of a retention period with its legal grounds, and the legal grounds of the
 * certificate, as text.
 */
export function useGrounds() {
  const t = useRetentionTexts()
  const { language } = useLanguage()
  const reasons = { ...t.reasons, ...t.elsewhereReasons }
  return {
    groundOf: (kind: RetentionKind | KeptElsewhere) =>
      t.ground(reasons[kind], citationsOf(RETENTION_LAWS[kind], language)),
    certificateGrounds: citationsOf(CERTIFICATE_LAWS, language),
  }
}
