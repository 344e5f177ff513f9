import type { Plugin, Rolldown } from 'vite'
import { framedPages, pages, type Page } from '../contract/pages.ts'

/** Content of pages.json: the scripts of each page in addition to those of index.html, by its path, such as `/user/search`. */
export interface PageFiles {
  pages: Record<string, string[]>
  /** Scripts of the not-found page. */
  unknown: string[]
  /** Scripts that dialogs and option lists load when they open. */
  parts: string[]
  /** Scripts that are too large to be fetched in advance, except those of the layout. */
  large: string[]
}

/** Characters above which a script is large. */
const LARGE = 200_000

/**
 * Creates the plugin that writes pages.json. The server adds a page's scripts to its index.html, and the client
 * prefetches those of the next page. The build fails if the module of a page is in no chunk.
 */
export function pageFiles(): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const html = bundle['index.html']
        const named = html?.type === 'asset' ? String(html.source) : ''
        const withImports = (...modules: string[]) => {
          const files = new Set<string>()
          const add = (chunk: Rolldown.OutputChunk | undefined) => {
            if (chunk === undefined || files.has(chunk.fileName)) return
            files.add(chunk.fileName)
            for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name))
          }
          for (const module of modules) {
            const chunk = chunks.find(({ moduleIds }) =>
              moduleIds.some((id) => id.endsWith(`/web/${module}`)),
            )
            add(chunk ?? this.error(`No chunk holds ${module}`))
          }
          return [...files].map((name) => `/${name}`).filter((name) => !named.includes(name))
        }
        const filesOf = ([path, { screen }]: [string, Page]) => [
          path,
          withImports(
            ...(path in framedPages ? ['layout/app-layout.tsx'] : []),
            ...(screen === undefined ? [] : [`screens/${screen}.page.tsx`]),
          ),
        ]
        const parts = [
          'ui/dialog',
          'ui/select-list',
          'ui/column-list',
          'layout/deferred/deferred-layout',
        ].map((part) => `${part}.tsx`)
        const files: PageFiles = {
          pages: Object.fromEntries(Object.entries<Page>(pages).map(filesOf)) as PageFiles['pages'],
          unknown: withImports('layout/app-layout.tsx'),
          parts: withImports(...parts).filter((name) => !withImports('layout/app-layout.tsx').includes(name)),
          large: chunks.flatMap(({ fileName, code }) =>
            code.length > LARGE && !withImports('layout/app-layout.tsx').includes(`/${fileName}`)
              ? [`/${fileName}`]
              : [],
          ),
        }
        this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(files) })
      },
    },
  }
}
