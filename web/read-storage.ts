import type * as z from 'zod/mini'

/**
 * Reads a value from one of the browser's storages.
 * @returns undefined if there is none, or if it does not fit the schema: an older release or the user may have written it
 */
export function readStorage<T>(storage: Storage, key: string, schema: z.ZodMiniType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(storage.getItem(key) ?? 'null')).data
  } catch {
    return undefined
  }
}
