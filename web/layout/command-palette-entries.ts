import { USER_READERS } from '../../contract/permissions.ts'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { listMenus } from '../../contract/common.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import { LANGUAGES } from '../../contract/messages/language.ts'
import { inOtherLayout } from '../../contract/keyboard-layout.ts'
import { listNotices } from '../../contract/notices.ts'
import { listColleagues, listUsers } from '../../contract/users.ts'
import { query } from '../api/query.ts'
import { useSilentQuery } from '../api/use-silent-query.ts'
import { setLanguage, useLanguage, usePortalMessages } from '../language.tsx'
import { LOG_OUT, LOG_OUT_EVERYWHERE } from '../routes/return-to.ts'
import { stringifySearch } from '../routes/search-params.ts'
import { THEMES, useTheme } from '../theme.ts'
import { dialogs } from '../ui/dialogs.ts'
import { createMatcher } from './command-palette-matcher.ts'
import { usePaletteTexts } from './palette-texts.ts'
import { useHasFunction } from './use-permission.ts'

/** An entry of the command palette. */
export interface Entry {
  /** URL of the page that the entry opens; for a command, of the page where users find it. */
  href: string
  /** Distinguishes entries with the same URL. */
  key?: string
  /** Runs the entry, if it is a command. */
  run?: () => void
  title: string
  /** Language of the title, if it is not that of the page. */
  lang?: string
  /** Secondary text next to the title. */
  detail: string
  /** The person whose card the entry opens; `href` is for a new tab. */
  person?: Colleague
}

/** A user as the directory of colleagues returns it, without login ID. */
export type Colleague = OutputOf<typeof listColleagues>['colleagues'][number]

/** Entries of one kind. */
export interface EntryGroup {
  title: string
  entries: Entry[]
}

/** Page of results that the palette requests. */
const PAGE = { page: 1, perPage: 5 }

/**
 * Returns the pages that the user may open and that match by title, group or further words; all of them for an empty
 * text. Also matches while the last syllable is being composed.
 */
export function usePages(text: string): EntryGroup {
  const { frame, titles } = usePortalMessages()
  const t = usePaletteTexts()
  // The header loads the menu.
  const menus = useQuery({ ...query(listMenus, {}), enabled: false }).data ?? []
  const pages = [
    { href: '/main', title: titles.main, detail: '' },
    ...menus.flatMap(({ groupTitle, items }) =>
      items.map(({ itemTitle, url }) => ({ href: url, title: itemTitle, detail: groupTitle })),
    ),
    { href: '/mypage', title: frame.myInfo, detail: '' },
  ]
  const has = createMatcher(text)
  return {
    title: t.pages,
    entries: pages.filter(({ href, title, detail }) => has(`${detail} ${title}, ${t.words[href] ?? ''}`)),
  }
}

/**
 * Returns the commands that match by title or by the text next to it; all of them for an empty text: password, key,
 * theme, language and the two logouts. Omits the current theme and language.
 */
export function useCommands(text: string): EntryGroup {
  const { frame, users, programs } = usePortalMessages()
  const t = usePaletteTexts()
  const router = useRouter()
  const { language } = useLanguage()
  const { theme, setTheme } = useTheme()
  const entries: Entry[] = [
    { href: '/mypage#password', title: users.password.open, detail: frame.myInfo },
    { href: '/mypage#own-programs', title: t.issueKey, detail: `${frame.myInfo} · ${programs.title}` },
    ...THEMES.filter((value) => value !== theme).map((value) => ({
      href: '',
      key: value,
      title: frame.themes[value],
      detail: frame.theme,
      run: () => setTheme(value),
    })),
    ...LANGUAGES.filter((value) => value !== language).map((value) => ({
      href: '',
      key: value,
      title: frame.languages[value],
      lang: value,
      detail: frame.language,
      run: () => void setLanguage(value).catch(() => dialogs.alert({ message: frame.languageFailed })),
    })),
    { href: '/logout', title: frame.logout, detail: '', run: () => void router.navigate(LOG_OUT) },
    {
      href: '/logout',
      key: 'everywhere',
      title: frame.logoutEverywhere,
      detail: '',
      run: () => void router.navigate(LOG_OUT_EVERYWHERE),
    },
  ]
  const has = createMatcher(text)
  return { title: t.commands, entries: entries.filter(({ title, detail }) => has(`${detail} ${title}`)) }
}

/**
 * Returns an entry that searches for the text in the other keyboard layout; none if that text is not plausible. A
 * choice instead of a second search, because the entries of the directory per day are limited
 * (rules/colleagues#entries-a-day).
 * @param onChoose called with the other text
 */
export function useOtherLayout(text: string, onChoose: (other: string) => void): EntryGroup {
  const t = usePaletteTexts()
  const other = inOtherLayout(text)
  if (other === undefined) return { title: t.otherLayout, entries: [] }
  const entry = { href: '', key: 'layout', title: t.searchFor(other), detail: '', run: () => onChoose(other) }
  return { title: t.otherLayout, entries: [entry] }
}

/**
 * Returns the first five users and notices that the server finds, each with an entry that leads to all results if there
 * are more. Sends no request without a text.
 * @returns also `count` of all results, the state of the requests, and `retry` for failed ones
 */
export function usePaletteResults(text: string) {
  const t = usePaletteTexts()
  const people = usePeople(text)
  const notices = useSilentQuery(listNotices, { title: text, author: text, ...PAGE }, text !== '')
  const noticeEntries = (notices.data?.notices ?? []).map(
    ({ noticeId, userId, title, name, registeredAt }) => ({
      href: `/notice/detail${stringifySearch({ noticeId, writer: userId })}`,
      title,
      detail: `${name} · ${registeredAt.slice(0, 10)}`,
    }),
  )
  const groups: EntryGroup[] = [
    { title: t.people, entries: withLinkToAll(people.entries, people.total, people.all(text), t.allPeople) },
    {
      title: t.notices,
      entries: withLinkToAll(
        noticeEntries,
        notices.data?.totalCount,
        `/notice/search${stringifySearch({ searchText: text })}`,
        t.allNotices,
      ),
    },
  ]
  const queries = [...people.queries, notices]
  return {
    groups,
    /** True if the directory was not searched, because the text has one letter. */
    isShortForPeople: people.isShort,
    count: (people.total ?? 0) + (notices.data?.totalCount ?? 0),
    isSearching: queries.some(({ isFetching }) => isFetching),
    // A refusal counts as no result. Only a server failure can be retried.
    isFailed: queries.some(({ error }) => error?.isServerFailure),
    retry: () => {
      for (const one of queries) if (one.isError) void one.refetch()
    },
  }
}

/**
 * Returns the matching users: of all users if the user may read them (USER_READERS), else of the directory. Does not
 * search the directory for one letter, because its entries per day are limited (rules/colleagues#entries-a-day).
 * @returns `entries`, the number of all results (`total`), a function that returns the URL of the list for a keyword
 * (`all`), and whether the text was too short (`isShort`)
 */
function usePeople(text: string) {
  const maySearchUsers = useHasFunction(...USER_READERS)
  const input = { keyword: text, ...PAGE }
  const users = useSilentQuery(listUsers, input, text !== '' && maySearchUsers)
  const isShort = !maySearchUsers && Array.from(text).length === 1
  const colleagues = useSilentQuery(listColleagues, input, text !== '' && !isShort && !maySearchUsers)
  const queries = [users, colleagues]
  if (maySearchUsers) {
    const entries = (users.data?.users ?? []).map(({ userId, name, affiliationName }) => ({
      href: `/user/detail${stringifySearch({ userId })}`,
      title: name,
      detail: [affiliationName, userId].filter(Boolean).join(' · '),
    }))
    return { queries, entries, isShort, total: users.data?.totalCount, all: searchAt('/user/search') }
  }
  const all = searchAt('/colleague/search')
  const entries = (colleagues.data?.colleagues ?? []).map((person): Entry => ({
    // The directory has no IDs, so users with the same name have the same URL.
    key: `${person.rowNumber}`,
    href: all(person.name),
    title: person.name,
    detail: [person.affiliationName, person.position].filter(Boolean).join(' · '),
    person,
  }))
  return { queries, entries, isShort, total: colleagues.data?.totalCount, all }
}

/** Returns a function that returns the URL of a list with a keyword. */
const searchAt = (path: string) => (keyword: string) => `${path}${stringifySearch({ keyword })}`

/** Appends an entry that leads to all results, if there are more. */
function withLinkToAll(entries: Entry[], total = 0, href: string, all: (count: string) => string): Entry[] {
  if (total <= entries.length) return entries
  return [...entries, { key: 'all', href, title: all(total.toLocaleString()), detail: '' }]
}
