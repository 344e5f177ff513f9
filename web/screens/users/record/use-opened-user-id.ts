import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'

/**
 * Returns the ID of the user that a page shows, from the navigation state or, in a new tab, from the URL. It stays the
 * same while the next screen is loading. Undefined if neither has one.
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
