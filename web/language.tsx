import { useSyncExternalStore } from 'react'
import { first as koFirst } from '../contract/messages/ko/first.ts'
import type { FirstMessages, PageMessages, PortalMessages } from '../contract/messages/ko.ts'
import { LANGUAGES, type Language } from '../contract/messages/language.ts'
import { whole } from '../contract/messages/whole.ts'
import { createListeners } from './listeners.ts'

/**
 * The language of the screens (rules/frame#languages). Korean is the default and part of the page; another language is loaded when
 * the user chooses it. The choice is in local storage. The texts of the pages with the menu are loaded with the first of these
 * pages, because the login page needs none of them.
 */
const STORED = 'language'

const loaders: Record<
  Language,
  { first: () => Promise<FirstMessages>; portal: () => Promise<PortalMessages> }
> = {
  ko: {
    first: () => Promise.resolve(koFirst),
    portal: () => import('../contract/messages/ko/portal.ts').then((module) => module.portal),
  },
  en: {
    first: () => import('../contract/messages/en/first.ts').then((module) => module.first),
    portal: () => import('../contract/messages/en/portal.ts').then((module) => module.portal),
  },
}
const catalogues: Partial<Record<Language, FirstMessages | PageMessages>> = { ko: koFirst }
let isInPortal = false
const { subscribe, notify } = createListeners()
let current: Language = 'ko'

/** The language in use, for Accept-Language and whatever is outside React. */
export function currentLanguage(): Language {
  return current
}

/** Returns the current texts of all pages, for handlers outside React. Components use `useMessages`. */
export function messages(): FirstMessages {
  return catalogues[current] ?? koFirst
}

/** All texts in use, for handlers of the pages with the menu. */
export function portalMessages(): PageMessages {
  // Complete by then: `loadPortalMessages` runs before the first of these pages.
  return messages() as PageMessages
}

/** Returns the title of a page. @returns undefined while the texts of the pages with the menu are loading */
export function titleOf(page: keyof PageMessages['titles']): string | undefined {
  const titles: Partial<PageMessages['titles']> = messages().titles
  return titles[page]
}

/** The texts in use that every page has: `const t = useMessages().account`. */
export function useMessages(): FirstMessages {
  return useSyncExternalStore(subscribe, messages)
}

/** All texts in use, in the pages with the menu: `const t = usePortalMessages().users`. */
export function usePortalMessages(): PageMessages {
  return useSyncExternalStore(subscribe, portalMessages)
}

/** Loads the texts of the pages with the menu. Wait for it before rendering the first of them. */
export async function loadPortalMessages(): Promise<void> {
  isInPortal = true
  await load(current)
}

/** The language in use, and how to change it. */
export function useLanguage(): { language: Language; setLanguage: (to: Language) => Promise<void> } {
  return { language: useSyncExternalStore(subscribe, currentLanguage), setLanguage }
}

/** Restores the stored language. Wait for it before the first render. */
export async function restoreLanguage(): Promise<void> {
  const stored = localStorage.getItem(STORED)
  const language = LANGUAGES.find((one) => one === stored) ?? 'ko'
  // Without the second catalogue the page is Korean rather than not there.
  await use(language).catch(() => use('ko'))
}

/** Changes the language of the whole page and remembers it. */
export async function setLanguage(to: Language): Promise<void> {
  if (await use(to)) localStorage.setItem(STORED, to)
}

/** Calls back after a change of the language, e.g. to read texts from the server again. */
export const onLanguageChange = subscribe

let wishes = 0

/**
 * Switches the language. If the user chooses another one while its texts are loading, the last choice wins. @returns whether the
 * language is now in use
 */
async function use(language: Language): Promise<boolean> {
  wishes += 1
  const wish = wishes
  await load(language)
  if (wish !== wishes) return false
  current = language
  document.documentElement.lang = language
  notify()
  return true
}

/** Loads the texts that the page needs and does not have yet. */
async function load(language: Language): Promise<void> {
  const loader = loaders[language]
  const known = catalogues[language]
  const isLacking = isInPortal && (known === undefined || !('users' in known))
  const [first, portal] = await Promise.all([
    known ?? loader.first(),
    isLacking ? loader.portal() : undefined,
  ])
  if (portal !== undefined) catalogues[language] = whole(first, portal)
  else catalogues[language] ??= first
}
