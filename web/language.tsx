import { useSyncExternalStore } from 'react'
import { first as koFirst } from '../contract/messages/ko/login-bundle.ts'
import type { FirstMessages, PageMessages, PortalMessages } from '../contract/messages/ko.ts'
import { LANGUAGES, type Language } from '../contract/messages/language.ts'
import { whole } from '../contract/messages/merge-catalogue.ts'
import { createListeners } from './listeners.ts'

/**
 * Storage key of the language (rules/frame#languages). Korean is the default and part of the page; other
 * languages load when the user chooses them. The login page needs none of the texts of the other pages, so
 * these load separately.
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
    first: () => import('../contract/messages/en/login-bundle.ts').then((module) => module.first),
    portal: () => import('../contract/messages/en/portal.ts').then((module) => module.portal),
  },
}
const catalogues: Partial<Record<Language, FirstMessages | PageMessages>> = { ko: koFirst }
let isInPortal = false
const { subscribe, notify } = createListeners()
let current: Language = 'ko'

/**
 * Returns the language in use, for `Accept-Language` and code outside React. Components use `useLanguage`.
 */
export function currentLanguage(): Language {
  return current
}

/** Returns the texts that every page has, for code outside React. Components use `useMessages`. */
export function messages(): FirstMessages {
  return catalogues[current] ?? koFirst
}

/**
 * Returns all texts in the current language, for event handlers of pages except the login. Lacks texts before
 * `loadPortalMessages`.
 */
export function portalMessages(): PageMessages {
  // Complete by then: `loadPortalMessages` runs before the first of these pages.
  return messages() as PageMessages
}

/**
 * Returns the title of a page.
 * @returns undefined while the texts of the pages except the login are loading
 */
export function titleOf(page: keyof PageMessages['titles']): string | undefined {
  const titles: Partial<PageMessages['titles']> = messages().titles
  return titles[page]
}

/** Returns the texts that every page has, in the current language: `const t = useMessages().account`. */
export function useMessages(): FirstMessages {
  return useSyncExternalStore(subscribe, messages)
}

/** Returns all texts in the current language, for pages except the login: `const t = usePortalMessages().users`. */
export function usePortalMessages(): PageMessages {
  return useSyncExternalStore(subscribe, portalMessages)
}

/** Loads the texts of all pages except the login. Wait for it before rendering the first of them. */
export async function loadPortalMessages(): Promise<void> {
  isInPortal = true
  await load(current)
}

/**
 * Returns the current language and a function to change it. The function resolves when the texts are loaded.
 * It rejects if they cannot be loaded, and the language stays.
 */
export function useLanguage(): { language: Language; setLanguage: (to: Language) => Promise<void> } {
  return { language: useSyncExternalStore(subscribe, currentLanguage), setLanguage }
}

/**
 * Creates a hook that returns texts in the current language, for texts that load with the pages that use them.
 * @param texts the texts of each language
 */
export function createTexts<Texts>(texts: Record<Language, Texts>): () => Texts {
  return () => texts[useLanguage().language]
}

/**
 * Restores the stored language, or Korean if none is stored or its texts cannot be loaded. Wait for it before
 * the first render.
 */
export async function restoreLanguage(): Promise<void> {
  const stored = localStorage.getItem(STORED)
  const language = LANGUAGES.find((one) => one === stored) ?? 'ko'
  // Without the second catalogue the page is Korean rather than not there.
  await use(language).catch(() => use('ko'))
}

/**
 * Changes the language of the whole page and stores it, unless the user has chosen another one meanwhile.
 * @throws if the texts cannot be loaded; the language stays
 */
export async function setLanguage(to: Language): Promise<void> {
  if (await use(to)) localStorage.setItem(STORED, to)
}

/**
 * Registers a function that is called after a change of the language, e.g. to read texts from the server again. Returns
 * a function that unregisters it.
 */
export const onLanguageChange = subscribe

let wishes = 0

/**
 * Switches the language of the page without storing it. If the user chooses another one while its texts are loading,
 * the last choice wins.
 * @returns whether the language is now in use
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
