import { useRouter, type NavigateOptions } from '@tanstack/react-router'

/** Writes the address of a page, for a row that is a link: what a new tab opens, which has no navigation state. */
export function useHref(): (to: NavigateOptions) => string {
  const router = useRouter()
  return (to) => router.buildLocation(to).href
}
