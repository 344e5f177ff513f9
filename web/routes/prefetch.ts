import { useEffect } from 'react'
import type { PageFiles } from '../../build/pages.ts'

/** Milliseconds without network activity until the files of the next pages are fetched. */
const REST_MS = 1_000

/**
 * Fetches the scripts of the pages that the user will probably open next, when this page is idle
 * (rules/frame#prefetch), unless the browser saves data. They only enter the browser's cache: no script runs and no API
 * call is made. Ignores a failure.
 * @param paths paths of the pages; undefined while they are unknown
 */
export function usePrefetch(paths: readonly string[] | undefined): void {
  const list = paths?.join(' ')
  useEffect(() => {
    if (list === undefined || savesData()) return
    const timer = setTimeout(() => {
      whenIdle(() => void fetchFiles(list.split(' ')).catch(() => undefined))
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [list])
}

/** Adds a prefetch link for each script of these pages that /pages.json names, except for large ones. */
async function fetchFiles(paths: readonly string[]): Promise<void> {
  const response = await fetch('/pages.json', { priority: 'low' })
  if (!response.ok) return
  const { pages, parts, large } = (await response.json()) as PageFiles
  const wanted = [...paths.flatMap((path) => pages[path] ?? []), ...parts]
  for (const href of new Set(wanted)) {
    if (large.includes(href) || document.head.querySelector(`link[href="${href}"]`) !== null) continue
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'prefetch', as: 'script', href }),
    )
  }
}

/** Runs `work` when the browser is idle; in Safari immediately. */
function whenIdle(work: () => void): void {
  // Safari lacks `requestIdleCallback`.
  if ('requestIdleCallback' in window) requestIdleCallback(work)
  else work()
}

/** Returns whether the user turned on data saving in the browser. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData ?? false
}
