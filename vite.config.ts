import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { globSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { groups, withoutTinyChunks } from './build/chunks.ts'
import { pageFiles } from './build/pages.ts'
import { callTitles } from './web/screens/audit/call-titles.ts'

const pack = { br: promisify(brotliCompress), gz: promisify(gzip) }

/** URL of the running Maru that answers the API calls of `npm run dev`. */
const MARU = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`

/** Writes a .br and a .gz file for every text asset, so that the server compresses none. */
function precompress(): Plugin {
  let outDir: string
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    // Not closeBundle: that runs after a failed build too, and would hide why it failed.
    async writeBundle() {
      const names = await readdir(outDir, { recursive: true })
      const texts = names.filter((name) => /\.(js|css|html|svg|json|txt)$/.test(name))
      await Promise.all(
        texts.map(async (name) => {
          const file = join(outDir, name)
          const text = await readFile(file)
          const br = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }
          await Promise.all([
            writeFile(`${file}.br`, await pack.br(text, br)),
            writeFile(`${file}.gz`, await pack.gz(text, { level: 9 })),
          ])
        }),
      )
    },
  }
}

/** Writes web/first-paint.js into the document, ahead of everything: the first paint waits for no request. */
function firstPaint(): Plugin {
  return {
    name: 'first-paint',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler() {
        const text = await readFile(join('web', 'first-paint.js'), 'utf8')
        return [{ tag: 'script', children: text.replaceAll(/^\/\/.*\n/gm, ''), injectTo: 'head-prepend' }]
      },
    },
  }
}

const CSS_MODULES = globSync('web/**/*.module.css').toSorted()

/** Class names of each CSS module in their order in the file. */
const classNames = new Map<string, string[]>()

/** Names the fourth class of file 92 `D2k`: two short numbers compress better than a name and a hash. */
function classNameOf(name: string, file: string): string {
  const names = classNames.get(file) ?? []
  classNames.set(file, names)
  if (!names.includes(name)) names.push(name)
  const position = names.indexOf(name)
  const letters = [Math.floor(position / 26) - 1, position % 26].filter((digit) => digit >= 0)
  const place = CSS_MODULES.indexOf(relative(import.meta.dirname, file)).toString(36)
  return String.fromCodePoint(...letters.map((digit) => 65 + digit)) + place
}

/** Parts of a call that only the server and its documents read: summary, title, permission, limits, reauthentication, audit, mails and refusals. */
const SERVER_SIDE = [
  /^ {2}(?:summary|audit|confirmed|mails): ('[^']*'|"[^"]*"),$/gm,
  /^ {2}title: \{[^}]*\},$/gm,
  /^ {2}personal: (?:'none'|\[[^\]]*\]),$/gm,
  /^ {2}errors: \[[^\]]*\],$/gm,
  /^ {2}(?:access|others): (?:'[^']*'|\w+|\[[^\]]*\]|\{[^}]*\}),$/gm,
  // The longest calls alone are given more time.
  /^ {2}perPerson: '(?!heavy)\w+',$/gm,
  /^ {2}(?:limit: (?:\{[^}]*\}|\w+)|during\w+: true),$/gm,
]

/** Leaves that out of the pages. */
function withoutServerSide(): Plugin {
  return {
    name: 'without-server-side',
    apply: 'build',
    transform: {
      filter: { id: { include: /[\\/]contract[\\/].*\.ts$/, exclude: /[\\/]messages[\\/]/ } },
      handler: (code) => ({
        code: SERVER_SIDE.reduce((left, part) => left.replaceAll(part, ''), code),
        map: null,
      }),
    },
  }
}

/** Replaces the module `call-titles.ts` by its value: the page that lists the titles does without the whole contract. */
function withCallTitles(): Plugin {
  return {
    name: 'with-call-titles',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]call-titles\.ts$/ },
      handler: () => ({ code: `export const callTitles = ${JSON.stringify(callTitles)}`, map: null }),
    },
  }
}

export default defineConfig({
  plugins: [
    { ...withoutServerSide(), enforce: 'pre' },
    { ...withCallTitles(), enforce: 'pre' },
    react(),
    // An English browser asks react-aria for en-US before our own locale is known: keep both.
    { ...optimizeLocales.vite({ locales: ['ko-KR', 'en-US'] }), enforce: 'pre' },
    firstPaint(),
    withoutTinyChunks(),
    pageFiles(),
    precompress(),
  ],
  publicDir: false,
  css: { modules: { generateScopedName: classNameOf } },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // light-dark() and :has() stay as written: every browser in support knows them.
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // The server names what a page needs in its index.html (server/http/pages.ts).
    modulePreload: false,
    // A data: URI would need a hole in the content security policy.
    assetsInlineLimit: 0,
    sourcemap: false,
    // One file: what a page leaves out is smaller than the request for the rest of it would be.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: { proxy: { '/api': MARU, '/config.json': MARU } },
})
