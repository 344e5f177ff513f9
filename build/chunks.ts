import type { Plugin, Rolldown } from 'vite'

/** What the few pages with an import share: no list needs it. */
const IMPORTS = /web[\\/]imports[\\/]|file-(help|import)\.tsx?$|contract[\\/]\w+[\\/]import(-update)?\.ts$/

const OURS = /[\\/](web|contract|zod|react-hook-form|@hookform|clsx)[\\/]/

/**
 * Which files the scripts of the pages are put into (design/page-build#four-scripts-per-page). Whatever the route, a first visit fetches `base`,
 * `first`, for all but the first screens `portal`, for a screen with a form `forms`, and the screen's own file.
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
  // What of a language the login says, without what else the pages with the menu do.
  {
    name: 'first-en',
    test: /messages[\\/]en[\\/](first|failures|frame|login|text-validation)\.ts$/,
    priority: 4,
  },
  // Fetched when something opens: a list, a calendar, a dialog.
  { name: 'aria', test: /node_modules[\\/](react-aria|react-stately)/, minShareCount: 2, priority: 1 },
  { name: 'imports', test: IMPORTS, priority: 1 },
  // With what its late dialogs share with it, which would be two small files more.
  {
    name: 'affiliations',
    test: /screens[\\/]affiliations[\\/](affiliations\.(page\.tsx|module\.css)|lists\.ts)$/,
    priority: 0,
  },
  // The library is several times the weight of the page around it.
  { name: 'charts', test: /screens[\\/]keys[\\/]key-statistics\.page\.tsx$/, priority: 0 },
  { name: (id, graph) => (sharedBy(id, graph) === 'portal' ? 'portal' : null), test: OURS, priority: 3 },
  // After it, so that it takes nothing of what lists need.
  { name: (id, graph) => (sharedBy(id, graph) === 'forms' ? 'forms' : null), test: OURS, priority: 2 },
]

/** What every page with the menu needs, the screen that two pages show, the styles of home (a file less), and what charts and dialogs share. */
const IN_PORTAL =
  /web[\\/](frame[\\/](frame|function-gate)|screens[\\/]users[\\/]search[\\/]user-search\.page)\.tsx$|screens[\\/]home[\\/][\w-]+\.css$|ko[\\/]portal\.ts$|[\\/]clsx[\\/]/
const SCREEN = /\.page\.tsx$/

/** The screens without a form: most people see nothing else, so they carry nothing of what the forms share. */
const LIST = /(home|[\w-]+-search|approvals|partner-import)\.page\.tsx$/
/** Makes more calls than any other page, or is shared by a user's page and its late parts: a file of its own would be a request too many. */
const IN_FORMS =
  /screens[\\/](partners[\\/]partner-detail\.page\.tsx|users[\\/]account[\\/](reason-dialog\.tsx|use-act\.ts))$/

/** Where a module belongs that every page with the menu or two screens need; null for all others. */
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
 * Spares the requests for files of no substance that Rolldown makes beside its groups: its own helpers, which become part
 * of `base`, and one per dynamic import of a module in a group, which only hands on what the group exports.
 */
export function withoutTinyChunks(): Plugin {
  return {
    name: 'without-tiny-chunks',
    apply: 'build',
    enforce: 'post',
    // What is done here comes after the hashes, which have to change with it.
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

/** Moves helpers without imports into a chunk that every other one comes after. */
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

/** Lets all that import a chunk which only hands on ask the chunk itself. Says whether this is such a one. */
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

/** How one chunk asks for another: all of them lie in one folder. */
function fileOf({ fileName }: Rolldown.OutputChunk): string {
  return `./${fileName.split('/').pop()}`
}
