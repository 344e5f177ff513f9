import { useEffect } from 'react'
import type { PageFiles } from '../../build/pages.ts'

/** How long a page has been at rest when the next one's files are fetched. */
const REST_MS = 1_000

/**
 * Fetches the scripts of pages that will probably be opened next, once this one is at rest (rules/frame#prefetch): into
 * the browser's cache and no further. Nothing runs, nothing is asked of the API, and what cannot be fetched is fetched
 * when it is needed.
 * @param paths their addresses; undefined while they are not known
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

function whenIdle(work: () => void): void {
  // Not in Safari.
  if ('requestIdleCallback' in window) requestIdleCallback(work)
  else work()
}

/** Whether the person told the browser to spare the line. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData ?? false
}
