import { retention as en } from '../../../contract/messages/en/retention.ts'
import { retention as ko, type RetentionTexts } from '../../../contract/messages/ko/retention.ts'
import { RETENTION, type RetentionKind } from '../../../contract/settings/retention.ts'
import { createTexts } from '../../language.tsx'

export const useRetentionTexts = createTexts({ ko, en })

/** Returns how long a kind of data is kept, as text. */
export const keptText = (t: RetentionTexts, kind: RetentionKind, keptFor: number) =>
  t.kept[RETENTION[kind].unit](keptFor)
