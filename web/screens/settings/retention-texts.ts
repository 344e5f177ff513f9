import { retention as en } from '../../../contract/messages/en/retention.ts'
import { retention as ko, type RetentionTexts } from '../../../contract/messages/ko/retention.ts'
import { RETENTION, type RetentionKind } from '../../../contract/settings/retention.ts'
import { useLanguage } from '../../language.tsx'

/** Returns the texts of retention in the current language. They are loaded with its pages and are not part of the common texts. */
export function useRetentionTexts(): RetentionTexts {
  return { ko, en }[useLanguage().language]
}

/** Returns how long a kind of data is kept, as text. */
export const keptText = (t: RetentionTexts, kind: RetentionKind, keptFor: number) =>
  t.kept[RETENTION[kind].unit](keptFor)
