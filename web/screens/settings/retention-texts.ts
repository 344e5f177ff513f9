import { retention as en } from '../../../contract/messages/en/retention.ts'
import { retention as ko, type RetentionTexts } from '../../../contract/messages/ko/retention.ts'
import { RETENTION, type RetentionKind } from '../../../contract/settings/retention.ts'
import { useLanguage } from '../../language.tsx'

/** The texts of retention in the language in use: apart from the catalogue, they come with its pages. */
export function useRetentionTexts(): RetentionTexts {
  return { ko, en }[useLanguage().language]
}

/** How long a kind is kept, in words. */
export const keptText = (t: RetentionTexts, kind: RetentionKind, keptFor: number) =>
  t.kept[RETENTION[kind].unit](keptFor)
