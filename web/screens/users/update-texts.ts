import { userUpdate as en } from '../../../contract/messages/en/user-update.ts'
import { userUpdate as ko } from '../../../contract/messages/ko/user-update.ts'
import { useLanguage, usePortalMessages } from '../../language.tsx'

/** The words of the import, with those of an update where they are others: apart from the catalogue, they come with the page. */
export function useUpdateTexts() {
  const { users } = usePortalMessages()
  return { ...users.import, ...{ ko, en }[useLanguage().language] }
}
