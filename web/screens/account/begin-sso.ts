import { beginSso } from '../../../contract/sso.ts'
import { call } from '../../api/client.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import type { ReturnTo } from '../../routes/return-to.ts'
import { leaveForProvider } from '../../sso.ts'

/**
 * Begins a login by an identity provider (`beginSso`, rules/sso#login), and leaves the portal for it. Shows a refusal
 * in an alert, and stays on the page; the login by password stays possible.
 * @param next the page that the login returns to
 */
export async function beginSsoAt(providerId: string, next: ReturnTo | undefined): Promise<void> {
  try {
    await leaveForProvider({ purpose: 'login', providerId, next }, (binding) =>
      call(beginSso, { providerId, binding }),
    )
  } catch (error) {
    await showRefusal(error)
  }
}
