import type * as z from 'zod/mini'

/**
 * What was kept in one of the browser's storages; undefined for nothing, and for what has not this form: it may be of an
 * older release, or a curious person's.
 */
export function readKept<T>(storage: Storage, key: string, form: z.ZodMiniType<T>): T | undefined {
  try {
    return form.safeParse(JSON.parse(storage.getItem(key) ?? 'null')).data
  } catch {
    return undefined
  }
}
