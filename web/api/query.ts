import {
  QueryClient,
  queryOptions,
  useMutation,
  type FetchQueryOptions,
  type QueryKey,
} from '@tanstack/react-query'
import type { Endpoint, InputOf, OutputOf } from '../../contract/endpoint.ts'
import { CallError } from './call-error.ts'
import { call, callWithMessage } from './client.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallError
    queryMeta: {
      /** True to read the result again, in the background, after each event of the stream (rules/notifications#live). */
      isLive?: boolean
    }
  }
}

/** Results that were prefetched while their screen was loading. The screen uses them instead of a second request. */
const prefetched = new WeakSet<object>()
/** Milliseconds for which a prefetched result is used. Later the screen makes a new request. */
const PREFETCHED_STAYS_MS = 2_000

/**
 * The only cache of server results. A result is read again with every new use, but not when the window gets the focus.
 * An unavailable server is retried twice, after 400 and 800 ms.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: (read) => (prefetched.has(read) ? PREFETCHED_STAYS_MS : 0),
      retryOnMount: (read) =>
        !prefetched.has(read) || Date.now() - read.state.errorUpdatedAt > PREFETCHED_STAYS_MS,
      // A refusal would repeat itself, but an unavailable server may be back in a second.
      retry: (count, error) => count < 2 && error instanceof CallError && error.isUnavailable,
      retryDelay: (count) => 400 * 2 ** count,
      refetchOnWindowFocus: false,
      // The query itself reports that the server cannot be reached.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** Returns the cache key of a call: its path and its input. */
function queryKey<E extends Endpoint>(endpoint: E, input: InputOf<E>) {
  return [endpoint.path, input] as const
}

/**
 * Returns the options of a cached read of a call: `useQuery(query(listUsers, filters))`. Retries twice if the server is
 * unavailable. The screen must show a failed or unavailable server with a retry button; every other failure goes
 * through the global error handling.
 */
export function query<const E extends Endpoint>(endpoint: E, input: InputOf<E>) {
  return queryOptions<OutputOf<E>, CallError, OutputOf<E>, ReturnType<typeof queryKey<E>>>({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal, inline: 'serverFailure' }),
  })
}

/** Returns the options of `query` for a form, which takes the first result: results are not cached between visits. */
export function recordQuery<const E extends Endpoint>(endpoint: E, input: InputOf<E>) {
  return { ...query(endpoint, input), gcTime: 0 }
}

/**
 * Prefetches the first read of a screen that is loading. Never rejects: the screen shows a failure as if it had made
 * the call itself. Does nothing if an open screen already shows the result.
 */
export async function prefetch<Output, Key extends QueryKey>(
  options: FetchQueryOptions<Output, CallError, Output, Key>,
): Promise<void> {
  const exactly = { queryKey: options.queryKey, exact: true }
  const find = () => queryClient.getQueryCache().find(exactly)
  if (find()?.isActive()) return
  if (options.gcTime === 0) queryClient.removeQueries(exactly)
  const gcTime = options.gcTime === 0 ? { gcTime: PREFETCHED_STAYS_MS } : {}
  const done = queryClient.prefetchQuery({ ...options, ...gcTime, staleTime: 0 })
  const read = find()
  if (read !== undefined) prefetched.add(read)
  await done
}

/**
 * Returns a mutation of a call: `const save = useCall(updateUser)`, then `save.mutateAsync(input)`. A failure
 * goes through the global error handling.
 */
export function useCall<E extends Endpoint>(endpoint: E) {
  return useMutation<OutputOf<E>, CallError, InputOf<E>>({
    mutationFn: (input) => call(endpoint, input),
  })
}

/**
 * Returns a mutation of a call that sends an email. The `msg` of its result says that the email was written to a file
 * on the server, and is empty if it was sent.
 */
export function useMailingCall<E extends Endpoint>(endpoint: E) {
  return useMutation<{ data: OutputOf<E>; msg: string }, CallError, InputOf<E>>({
    mutationFn: (input) => callWithMessage(endpoint, input),
  })
}

/**
 * Reads all cached results of a call again, with any input, even if no screen shows them now. The next screen starts
 * with them.
 */
export function refresh(endpoint: Endpoint): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [endpoint.path], refetchType: 'all' })
}

/** Invalidates all cached results of a call, with any input. Resolves when open screens have read them again. */
export function invalidate(endpoint: Endpoint): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [endpoint.path] })
}
