import { usePortalConfig } from '../api/config.ts'
import { useLanguage } from '../language.tsx'

/**
 * Returns company, logo, offices and version of the privacy notice in the current language. Values without an English
 * text stay Korean.
 */
export function usePortalNames(): Pick<
  ReturnType<typeof usePortalConfig>,
  'company' | 'logoText' | 'logo' | 'offices' | 'privacy'
> {
  const { english, ...own } = usePortalConfig()
  return useLanguage().language === 'en' ? { ...own, ...english } : own
}
