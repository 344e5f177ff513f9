import type { Plugin, Rolldown } from 'vite'
import { framedPages, pages, type Page } from '../contract/pages.ts'

/** What pages.json says: which scripts a page needs beside those of index.html, by its address. */
export interface PageFiles {
  pages: Record<string, string[]>
  /** What a page at another address needs: the one that says that there is nothing. */
  unknown: string[]
  /** What dialogs and lists of choices need once they open. */
  parts: string[]
  /** Those above that are too large to be fetched before anybody asks for them. */
  large: string[]
}

/** How many characters are large. */
const LARGE = 200_000

/** Writes pages.json, by which the server names a page's scripts in its index.html, and the page fetches the next one's. */
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
            ...(path in framedPages ? ['frame/frame.tsx'] : []),
            ...(screen === undefined ? [] : [`screens/${screen}.page.tsx`]),
          ),
        ]
        const parts = ['ui/dialog', 'ui/select-list', 'ui/column-list', 'frame/late/late-frame'].map(
          (part) => `${part}.tsx`,
        )
        const files: PageFiles = {
          pages: Object.fromEntries(Object.entries<Page>(pages).map(filesOf)) as PageFiles['pages'],
          unknown: withImports('frame/frame.tsx'),
          parts: withImports(...parts).filter((name) => !withImports('frame/frame.tsx').includes(name)),
          large: chunks.flatMap(({ fileName, code }) =>
            code.length > LARGE && !withImports('frame/frame.tsx').includes(`/${fileName}`)
              ? [`/${fileName}`]
              : [],
          ),
        }
        this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(files) })
      },
    },
  }
}
