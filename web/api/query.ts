import { QueryClient, queryOptions, useMutation } from '@tanstack/react-query'
import type { Endpoint, InputOf, OutputOf } from '../../contract/endpoint.ts'
import { CallError } from './call-error.ts'
import { call } from './client.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallError
  }
}

/** The one cache of what the server said. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal stays one; a server that is away may be back in a second.
      retry: (count, error) => count < 2 && error instanceof CallError && error.isUnavailable,
      retryDelay: (count) => 400 * 2 ** count,
      refetchOnWindowFocus: false,
      // The query itself says that it cannot reach the server.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** The cache key of a call: its path and what it asked. */
function queryKey<E extends Endpoint>(endpoint: E, input: InputOf<E>) {
  return [endpoint.path, input] as const
}

/**
 * A call as a cached read: `useQuery(query(listUsers, filters))`. A server that is away is left to the
 * list, which shows it with a retry; every other failure goes through the shared handling.
 */
export function query<const E extends Endpoint>(endpoint: E, input: InputOf<E>) {
  return queryOptions<OutputOf<E>, CallError, OutputOf<E>, ReturnType<typeof queryKey<E>>>({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal, inline: 'unavailable' }),
  })
}

/** A call that changes something: `const save = useCall(updateUser)`, then `save.mutateAsync(input)`. */
export function useCall<E extends Endpoint>(endpoint: E) {
  return useMutation<OutputOf<E>, CallError, InputOf<E>>({
    mutationFn: (input) => call(endpoint, input),
  })
}

/** Forgets what a call answered, whatever it was asked, so that open screens read it again. */
export function invalidate(endpoint: Endpoint): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [endpoint.path] })
}
