import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'

/**
 * The user that a page shows: of the navigation state or, in a tab of its own, of the address. It stays while the person
 * is on the way to another screen.
 */
export function useOpenedUserId(path: '/user/detail' | '/user/withdrawn'): string | undefined {
  const location = useLocation({
    select: ({ pathname, state, search }) => ({
      isHere: pathname === path,
      userId: state.userId ?? (search as { userId?: string }).userId,
    }),
    structuralSharing: true,
  })
  const [userId, setUserId] = useState(location.userId)
  if (location.isHere && location.userId !== userId) setUserId(location.userId)
  return userId
}
