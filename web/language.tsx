import { useSyncExternalStore } from 'react'
import { ko, type Messages } from '../contract/messages/ko.ts'
import { LANGUAGES, type Language } from '../contract/messages/language.ts'

/**
 * The language of the screens (decisions §1). Korean is the default and comes with the page; another one
 * is loaded when it is chosen. The choice lasts in local storage.
 */
const STORED = 'language'

const catalogues: Partial<Record<Language, Messages>> = { ko }
const loaders: Record<Language, () => Promise<Messages>> = {
  ko: () => Promise.resolve(ko),
  en: () => import('../contract/messages/en.ts').then((module) => module.en),
}
const listeners = new Set<() => void>()
let current: Language = 'ko'

/** The language in use, for Accept-Language and whatever is outside React. */
export function currentLanguage(): Language {
  return current
}

/** The texts in use, for handlers outside React; components take `useMessages`. */
export function messages(): Messages {
  return catalogues[current] ?? ko
}

/** The texts in use: `const t = useMessages().users`. */
export function useMessages(): Messages {
  return useSyncExternalStore(subscribe, messages)
}

/** The language in use, and how to change it. */
export function useLanguage(): { language: Language; setLanguage: (to: Language) => Promise<void> } {
  return { language: useSyncExternalStore(subscribe, currentLanguage), setLanguage }
}

/** Uses the language that was chosen last; wait for it before the first render. */
export async function restoreLanguage(): Promise<void> {
  const stored = localStorage.getItem(STORED)
  const language = LANGUAGES.find((one) => one === stored) ?? 'ko'
  // Without the second catalogue the page is Korean rather than not there.
  await use(language).catch(() => use('ko'))
}

/** Changes the language of the whole page and remembers it. */
export async function setLanguage(to: Language): Promise<void> {
  await use(to)
  localStorage.setItem(STORED, to)
}

/** Calls back after the language changed, e.g. to read again what the server says in words. */
export function onLanguageChange(listener: () => void): () => void {
  return subscribe(listener)
}

async function use(language: Language): Promise<void> {
  catalogues[language] ??= await loaders[language]()
  current = language
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
