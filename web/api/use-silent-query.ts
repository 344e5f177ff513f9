import { useQuery } from '@tanstack/react-query'
import type { Endpoint, InputOf, OutputOf } from '../../contract/endpoint.ts'
import { CallError } from './call-error.ts'
import { call } from './client.ts'
import { handleCallError } from './error-handling.ts'

/** Milliseconds for which results are not read again. */
const FRESH_MS = 30_000

/**
 * Makes a call with `useQuery` and reuses its result for 30 seconds. Shows no failure and never redirects, except after
 * a 401 (`handleCallError`). Sends nothing unless `enabled`.
 */
export function useSilentQuery<const E extends Endpoint>(endpoint: E, input: InputOf<E>, enabled: boolean) {
  return useQuery<OutputOf<E>>({
    queryKey: ['silent', endpoint.path, input],
    enabled,
    staleTime: FRESH_MS,
    queryFn: async ({ signal }) => {
      try {
        return await call(endpoint, input, { signal, inline: 'everything' })
      } catch (error) {
        if (error instanceof CallError && error.status === 401) handleCallError(error)
        throw error
      }
    },
  })
}
