import { useQuery } from '@tanstack/react-query'
import { disassemble, getChoseong } from 'es-hangul'
import { listMenus } from '../../contract/common.ts'
import type { Endpoint, InputOf } from '../../contract/endpoint.ts'
import { listNotices } from '../../contract/notices.ts'
import { listColleagues, listUsers } from '../../contract/users.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/client.ts'
import { query } from '../api/query.ts'
import { handleCallError } from '../api/error-handling.ts'
import { usePortalMessages } from '../language.tsx'
import { stringifySearch } from '../routes/address.ts'
import { usePaletteTexts } from './palette-texts.ts'
import { useHasFunction } from './use-permission.ts'

/** One line of the palette. */
export interface Entry {
  href: string
  /** Tells it from others of its kind that lead to the same address. */
  key?: string
  title: string
  /** Beside it, quietly. */
  detail: string
}

/** Lines of one kind. */
export interface EntryGroup {
  title: string
  entries: Entry[]
}

const PAGE = { page: 1, perPage: 5 }
const FRESH_MS = 30_000

/** The pages that the role may open whose names have the text, also while its last letter is being composed. */
export function usePages(text: string): EntryGroup {
  const { frame, titles } = usePortalMessages()
  const t = usePaletteTexts()
  // The header has asked.
  const menus = useQuery({ ...query(listMenus, {}), enabled: false }).data ?? []
  const pages = [
    { href: '/main', title: titles.main, detail: '' },
    ...menus.flatMap(({ groupTitle, items }) =>
      items.map(({ itemTitle, url }) => ({ href: url, title: itemTitle, detail: groupTitle })),
    ),
    { href: '/mypage', title: frame.myInfo, detail: '' },
  ]
  const has = matcher(text)
  return { title: t.pages, entries: pages.filter(({ title, detail }) => has(`${detail} ${title}`)) }
}

const bare = (words: string) => words.replaceAll(' ', '').toLowerCase()

/** By letters, by the parts of syllables, or by first consonants alone; spaces do not matter. */
function matcher(text: string): (words: string) => boolean {
  const wanted = bare(text)
  const parts = disassemble(wanted)
  return (words) => {
    const given = bare(words)
    return disassemble(given).includes(parts) || getChoseong(given).includes(wanted)
  }
}

/** People and notices, as the server finds them; nothing without a text. */
export function useFound(text: string) {
  const t = usePaletteTexts()
  const people = usePeople(text)
  const notices = useQuietly(listNotices, { title: text, author: text, ...PAGE }, text !== '')
  const noticeLines = (notices.data?.notices ?? []).map(
    ({ noticeId, userId, title, name, registeredAt }) => ({
      href: `/notice/detail${stringifySearch({ noticeId, writer: userId })}`,
      title,
      detail: `${name} · ${registeredAt.slice(0, 10)}`,
    }),
  )
  const groups: EntryGroup[] = [
    { title: t.people, entries: withAll(people.lines, people.total, people.all(text), t.allPeople) },
    {
      title: t.notices,
      entries: withAll(
        noticeLines,
        notices.data?.totalCount,
        `/notice/search${stringifySearch({ searchText: text })}`,
        t.allNotices,
      ),
    },
  ]
  const asked = [...people.asked, notices]
  return {
    groups,
    /** Nobody was looked for: one letter alone is too little to ask the directory for. */
    isShortForPeople: people.isShort,
    count: (people.total ?? 0) + (notices.data?.totalCount ?? 0),
    isSearching: asked.some(({ isFetching }) => isFetching),
    // What is refused is not found; a server that is away is worth another try.
    isFailed: asked.some(({ error }) => error?.isServerFailure),
    retry: () => {
      for (const one of asked) if (one.isError) void one.refetch()
    },
  }
}

/**
 * Who may search users goes to the user, everybody else to the directory, which is not asked for one letter alone: what
 * one person may ask of it is limited (rules/colleagues#entries-a-day).
 */
function usePeople(text: string) {
  const maySearchUsers = useHasFunction('autho_user_manage')
  const input = { keyword: text, ...PAGE }
  const users = useQuietly(listUsers, input, text !== '' && maySearchUsers)
  const isShort = !maySearchUsers && Array.from(text).length === 1
  const colleagues = useQuietly(listColleagues, input, text !== '' && !isShort && !maySearchUsers)
  const asked = [users, colleagues]
  if (maySearchUsers) {
    const lines = (users.data?.users ?? []).map(({ userId, name, affiliationName }) => ({
      href: `/user/detail${stringifySearch({ userId })}`,
      title: name,
      detail: [affiliationName, userId].filter(Boolean).join(' · '),
    }))
    return { asked, lines, isShort, total: users.data?.totalCount, all: searchAt('/user/search') }
  }
  const all = searchAt('/colleague/search')
  const lines = (colleagues.data?.colleagues ?? []).map(({ rowNumber, name, affiliationName, position }) => ({
    // The directory names no IDs: namesakes lead to one list.
    key: `${rowNumber}`,
    href: all(name),
    title: name,
    detail: [affiliationName, position].filter(Boolean).join(' · '),
  }))
  return { asked, lines, isShort, total: colleagues.data?.totalCount, all }
}

const searchAt = (path: string) => (keyword: string) => `${path}${stringifySearch({ keyword })}`

/** The lines, and one to all of them where there are more. */
function withAll(lines: Entry[], total = 0, href: string, all: (count: string) => string): Entry[] {
  if (total <= lines.length) return lines
  return [...lines, { key: 'all', href, title: all(total.toLocaleString()), detail: '' }]
}

/** A read whose refusals lead nowhere, but for the end of the session. */
function useQuietly<const E extends Endpoint>(endpoint: E, input: InputOf<E>, enabled: boolean) {
  const { queryKey, ...rest } = query(endpoint, input)
  return useQuery({
    ...rest,
    queryKey: ['palette', ...queryKey] as unknown as typeof queryKey,
    enabled,
    staleTime: FRESH_MS,
    queryFn: async ({ signal }) => {
      try {
        return await call(endpoint, input, { signal, inline: 'everything' })
      } catch (error) {
        if (error instanceof CallError && error.status === 401) handleCallError(error)
        throw error
      }
    },
  })
}
