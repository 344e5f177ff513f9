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
  }
}

/** What was asked for while its screen was loading; the screen takes that answer instead of asking again. */
const prefetched = new WeakSet<object>()
/** How long such an answer is used; a screen that comes later asks itself. */
const PREFETCHED_STAYS_MS = 2_000

/** The one cache of what the server said. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: (read) => (prefetched.has(read) ? PREFETCHED_STAYS_MS : 0),
      retryOnMount: (read) =>
        !prefetched.has(read) || Date.now() - read.state.errorUpdatedAt > PREFETCHED_STAYS_MS,
      // A refusal would be repeated; a server that is away may be back in a second.
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
 * A call as a cached read: `useQuery(query(listUsers, filters))`. A server that fails or is away is left
 * to the screen, which shows it with a retry; every other failure goes through the global error handling.
 */
export function query<const E extends Endpoint>(endpoint: E, input: InputOf<E>) {
  return queryOptions<OutputOf<E>, CallError, OutputOf<E>, ReturnType<typeof queryKey<E>>>({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal, inline: 'serverFailure' }),
  })
}

/** `query` for what a form edits: it takes the first answer that it gets, which must never be one of an earlier visit. */
export function recordQuery<const E extends Endpoint>(endpoint: E, input: InputOf<E>) {
  return { ...query(endpoint, input), gcTime: 0 }
}

/**
 * Asks for what a screen that is on its way reads first. How it fails is the screen's to show, as if it had asked
 * itself. What is on the screen already is left alone.
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

/** A call that changes something: `const save = useCall(updateUser)`, then `save.mutateAsync(input)`. */
export function useCall<E extends Endpoint>(endpoint: E) {
  return useMutation<OutputOf<E>, CallError, InputOf<E>>({
    mutationFn: (input) => call(endpoint, input),
  })
}

/** `useCall` for a call that makes a mail: `msg` says that it was written to a file on the server, and is empty if it was sent. */
export function useMailingCall<E extends Endpoint>(endpoint: E) {
  return useMutation<{ data: OutputOf<E>; msg: string }, CallError, InputOf<E>>({
    mutationFn: (input) => callWithMessage(endpoint, input),
  })
}

/** Reads again what a call answered, also where no screen shows it now: the next one that does begins with the new answer. */
export function refresh(endpoint: Endpoint): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [endpoint.path], refetchType: 'all' })
}

/** Forgets what a call answered, whatever it was asked, so that open screens read it again. */
export function invalidate(endpoint: Endpoint): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [endpoint.path] })
}
