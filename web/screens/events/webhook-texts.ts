import { webhooks as en } from '../../../contract/messages/en/webhooks.ts'
import { type WebhookTexts, webhooks as ko } from '../../../contract/messages/ko/webhooks.ts'
import { useLanguage } from '../../language.tsx'

/** Returns the texts of webhooks in the current language. They load with their page, apart from the common texts. */
export function useWebhookTexts(): WebhookTexts {
  return { ko, en }[useLanguage().language]
}
