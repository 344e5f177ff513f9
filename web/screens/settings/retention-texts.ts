import { retention as en } from '../../../contract/messages/en/retention.ts'
import { retention as ko, type RetentionTexts } from '../../../contract/messages/ko/retention.ts'
import { RETENTION, type RetentionKind } from '../../../contract/settings/retention.ts'
import { CERTIFICATE_LAWS, RETENTION_LAWS } from '../../../contract/law-references.ts'
import { citationsOf } from '../../../contract/laws.ts'
import type { KeptElsewhere } from '../../../contract/settings/retention.ts'
import { createTexts, useLanguage } from '../../language.tsx'

/** Returns the texts of retention and erasure, which load with their pages. */
export const useRetentionTexts = createTexts({ ko, en })

/** Returns a retention period as text, in the unit of its kind: days or months. */
export const keptText = (t: RetentionTexts, kind: RetentionKind, keptFor: number) =>
  t.kept[RETENTION[kind].unit](keptFor)

/**
 * Returns `groundOf`, a function that returns the reason for the retention period of a kind of data with its laws, and
 * `certificateGrounds`, the laws that the certificate cites; both as text.
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
