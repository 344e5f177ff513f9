import { useRouter, type NavigateOptions } from '@tanstack/react-router'

/**
 * Returns a function that converts a navigation to its URL, for rows that are links. The URL lacks the
 * navigation state.
 */
export function useHref(): (to: NavigateOptions) => string {
  const router = useRouter()
  return (to) => router.buildLocation(to).href
}
