import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'

/**
 * The token of a mailed link, which stands behind # in the address: no server and no log sees it there. Where the portal's
 * address was not known the mail carries it as a code, and the person types it.
 */
export function useLinkToken(): { token: string; enter: (code: string) => void } {
  const hash = useLocation({ select: (location) => location.hash })
  const [typed, setTyped] = useState({ code: '', hash })
  // A link that is opened in this tab later wins over what was typed.
  const token = typed.code !== '' && typed.hash === hash ? typed.code : hash
  return { token, enter: (code) => setTyped({ code, hash }) }
}
