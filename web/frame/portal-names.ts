import { usePortalConfig } from '../api/config.ts'
import { useLanguage } from '../language.tsx'

/** Company, logo and offices in the language of the screens, as far as they are known in it. */
export function usePortalNames(): Pick<
  ReturnType<typeof usePortalConfig>,
  'company' | 'logoText' | 'logo' | 'offices'
> {
  const { english, ...own } = usePortalConfig()
  return useLanguage().language === 'en' ? { ...own, ...english } : own
}
