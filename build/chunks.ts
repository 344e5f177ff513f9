import type { Plugin, Rolldown } from 'vite'

/** Modules that only the pages with an import share. They make the chunk `imports`. */
const IMPORTS = /web[\\/]imports[\\/]|file-import\.tsx?$|contract[\\/]\w+[\\/]import(-update)?\.ts$/

/** Modules of the portal and of small libraries, which the chunks `portal` and `forms` may contain. */
const OURS = /[\\/](web|contract|zod|react-hook-form|@hookform|clsx)[\\/]/

/**
 * Groups of modules that Rolldown puts into one chunk each, the highest priority first
 * (design/page-build#four-scripts-per-page). A module in no group stays with the screen or dynamic import that needs
 * it. A first visit fetches `base` and `first`, then `portal` except on the login page, `forms` for a screen with a
 * form, and the chunk of the screen.
 */
export const groups: Rolldown.CodeSplittingGroup[] = [
  {
    // Changes only when a library is updated, so it stays in the browser's cache across releases.
    name: 'base',
    test: /node_modules/,
    tags: ['$initial'],
    priority: 5,
  },
  { name: 'first', test: /web[\\/](main\.tsx|screens[\\/]account[\\/]login\.page\.tsx)$/, priority: 4 },
  // English texts of the login page only.
  {
    name: 'first-en',
    test: /messages[\\/]en[\\/](login-bundle|failures|frame|login|text-validation)\.ts$/,
    priority: 4,
  },
  // Fetched when a list, a calendar or a dialog opens.
  { name: 'aria', test: /node_modules[\\/](react-aria|react-stately)/, minShareCount: 2, priority: 1 },
  { name: 'imports', test: IMPORTS, priority: 1 },
  // Names of all actions in both languages, for the pages of the logs, of webhooks and of histories.
  {
    name: 'audit-texts',
    test: /messages[\\/](ko|en)[\\/]audit\.ts$|screens[\\/]audit[\\/]audit-texts\.ts$/,
    priority: 4,
  },
  // Includes the modules shared with its lazy dialogs, which would be two more small files.
  {
    name: 'affiliations',
    test: /screens[\\/]affiliations[\\/](affiliations\.(page\.tsx|module\.css)|lists\.ts)$/,
    priority: 0,
  },
  // The library is several times larger than the page that uses it.
  { name: 'charts', test: /screens[\\/]keys[\\/]key-statistics\.page\.tsx$/, priority: 0 },
  // For pages with a Markdown text, and for the editor.
  {
    name: 'markdown',
    test: /node_modules[\\/](markdown-it|linkify-it|mdurl|uc\.micro|punycode\.js|entities|get-east-asian-width)|[\\/]markdown(-parser)?\.ts$/,
    priority: 4,
  },
  // Changes only when a library is updated. Only the form of notices needs it.
  {
    name: 'editor',
    test: /node_modules[\\/](prosemirror-|orderedmap|rope-sequence|w3c-keyname)/,
    priority: 4,
  },
  { name: (id, graph) => (sharedBy(id, graph) === 'portal' ? 'portal' : null), test: OURS, priority: 3 },
  // After `portal`, so that it takes no module that lists need.
  { name: (id, graph) => (sharedBy(id, graph) === 'forms' ? 'forms' : null), test: OURS, priority: 2 },
]

/**
 * Modules that go into `portal` with all modules of OURS that they import: those of every page with the menu, the
 * screen that two pages show, the styles of home, and modules that a screen shares with charts, dialogs, the palette or
 * lazy filters.
 */
const IN_PORTAL =
  /contract[\\/]custom-fields\.ts$|api[\\/](use-(silent-query|debounced)|call-for-file)\.ts$|web[\\/](layout[\\/](app-layout|permission-gate)|screens[\\/]users[\\/]search[\\/]user-search\.page)\.tsx$|screens[\\/]home[\\/][\w-]+\.css$|ko[\\/]portal\.ts$|[\\/]clsx[\\/]/
/** File of a screen. `sharedBy` counts these among the importers of a module. */
const SCREEN = /\.page\.tsx$/

/** Screens without a form. Most users open no other screen, so these load no module that only forms share. */
const LIST = /(home|[\w-]+-search|approvals|partner-import|colleagues|organization)\.page\.tsx$/
/** Modules of the page with the most requests, or shared by the user page and its lazy parts. A chunk of their own would be one request too many. */
const IN_FORMS =
  /screens[\\/](partners[\\/]partner-detail\.page\.tsx|users[\\/]account[\\/]reason-dialog\.tsx)$/

/**
 * Returns the chunk of a module that every page with the menu or two screens need: `portal` if one of them is a list,
 * else `forms`. IN_FORMS and IN_PORTAL decide first, and IMPORTS are in neither.
 * @returns null for other modules
 */
function sharedBy(id: string, graph: Rolldown.ChunkingContext): 'portal' | 'forms' | null {
  if (IMPORTS.test(id)) return null
  if (IN_FORMS.test(id)) return 'forms'
  const screens = new Set<string>()
  const seen = new Set<string>()
  const waiting = [id]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (IN_PORTAL.test(one)) return 'portal'
    if (seen.has(one)) continue
    seen.add(one)
    if (SCREEN.test(one)) screens.add(one)
    else waiting.push(...(graph.getModuleInfo(one)?.importers ?? []))
  }
  if (screens.size < 2) return null
  return [...screens].some((screen) => LIST.test(screen)) ? 'portal' : 'forms'
}

/**
 * Creates a plugin that removes the tiny chunks that Rolldown adds: its helpers, which become part of `base`, and one
 * per dynamic import of a grouped module, which only re-exports from the group. The build fails if a chunk has another
 * form.
 */
export function withoutTinyChunks(): Plugin {
  return {
    name: 'without-tiny-chunks',
    apply: 'build',
    enforce: 'post',
    // These changes happen after the hashes are computed, so the hashes must depend on this code.
    augmentChunkHash: () => moveInto.toString() + handOn.toString(),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const named = (name: string) => {
          const chunk = chunks.find((one) => one.name === name)
          return (
            chunk ?? this.error(`There is no chunk "${name}" among ${chunks.map((one) => one.name).join()}`)
          )
        }
        moveInto(named('base'), named('rolldown-runtime'), chunks)
        for (const chunk of chunks) if (handOn(chunk, chunks)) delete bundle[chunk.fileName]
        const html = bundle['index.html']
        const { fileName } = named('rolldown-runtime')
        if (html?.type === 'asset')
          html.source = String(html.source).replace(new RegExp(`^.*${fileName}.*\\n`, 'm'), '')
        delete bundle[fileName]
      },
    },
  }
}

/**
 * Moves helpers without imports into a chunk that loads before all others, and makes all chunks import them from there.
 * @throws {Error} if a chunk imports the helpers in another way than expected
 */
function moveInto(
  home: Rolldown.OutputChunk,
  helpers: Rolldown.OutputChunk,
  chunks: readonly Rolldown.OutputChunk[],
): void {
  const [statement = '', exported = ''] = /export\{([^}]*)\};?\s*$/.exec(helpers.code) ?? []
  const names = exported.split(',').map((pair) => pair.split(' as ') as [string, string])
  const body = helpers.code.slice(0, -statement.length)
  const objects = names.map(([inside, outside]) => `${outside}:${inside}`)
  for (const chunk of chunks) {
    const asks = new RegExp(`import\\{([^}]*)\\}from"${fileOf(helpers).replaceAll('.', '\\.')}";?`)
    chunk.code = chunk.code.replace(asks, (_all, wanted: string) =>
      chunk === home
        ? `var $help=(()=>{${body};return{${objects.join()}}})(),{${wanted.replaceAll(' as ', ':')}}=$help;export{$help};`
        : `import{$help}from"${fileOf(home)}";var{${wanted.replaceAll(' as ', ':')}}=$help;`,
    )
    if (chunk.code.includes(fileOf(helpers)))
      throw new Error(`${chunk.fileName} asks for its helpers otherwise than expected`)
    chunk.imports = chunk.imports.filter((name) => name !== helpers.fileName)
  }
}

/**
 * Makes dynamic imports of a chunk that only re-exports load the chunk that it re-exports.
 * @returns whether it is such a chunk, which no chunk imports any more
 * @throws {Error} if a chunk imports it in another way
 */
function handOn(chunk: Rolldown.OutputChunk, chunks: readonly Rolldown.OutputChunk[]): boolean {
  const [, exported, from] = /^export\{([^}]*)\}from"([^"]*)";?\s*$/.exec(chunk.code) ?? []
  if (exported === undefined || from === undefined) return false
  const pairs = exported.split(',').map((pair) => pair.split(' as '))
  const taken = pairs.map(([inside, outside = inside]) => `${outside}:e.${inside}`).join()
  for (const one of chunks) {
    one.code = one.code.replaceAll(
      `import(\`${fileOf(chunk)}\`)`,
      `import(\`${from}\`).then(e=>({${taken}}))`,
    )
    one.dynamicImports = one.dynamicImports.filter((name) => name !== chunk.fileName)
    if (one.code.includes(fileOf(chunk))) throw new Error(`${one.fileName} still asks for ${chunk.fileName}`)
  }
  return true
}

/** Returns the import specifier of a chunk. All chunks are in one folder. */
function fileOf({ fileName }: Rolldown.OutputChunk): string {
  return `./${fileName.split('/').pop()}`
}
