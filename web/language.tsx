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

/**
 * Functions that load the texts of a language: `first` those of every page, `portal` those of the pages except the
 * login.
 */
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
/** Loaded texts per language: only `first`, or all of them after `loadPortalMessages`. */
const catalogues: Partial<Record<Language, FirstMessages | PageMessages>> = { ko: koFirst }
/** True from the first `loadPortalMessages`: every language then needs all texts. */
let isInPortal = false
const { subscribe, notify } = createListeners()
/** Language in use, which may differ from the stored one until `restoreLanguage`. */
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

/** Number of the latest call of `use`. */
let wishes = 0

/**
 * Loads a language, sets it as `lang` of the document and renders all texts again, without storing it. If the user
 * chooses another one while its texts are loading, the last choice wins.
 * @returns whether the language is now in use
 * @throws if the texts cannot be loaded; the language stays
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

/**
 * Loads the texts that the page needs and does not have yet in a language. Does not switch to it.
 * @throws if they cannot be loaded
 */
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
