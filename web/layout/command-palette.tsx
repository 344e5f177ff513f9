import { useRouter } from '@tanstack/react-router'
import {
  lazy,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
} from 'react'
import { flushSync } from 'react-dom'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useDebounced } from '../api/use-debounced.ts'
import { usePortalMessages } from '../language.tsx'
import { classes } from '../ui/classes.ts'
import shared from '../ui/dialog.module.css'
import layout from '../ui/layout.module.css'
import { SearchIcon } from '../ui/icons.tsx'
import { LocaleProvider } from '../ui/localized.tsx'
import { ErrorState } from '../ui/states.tsx'
import {
  useCommands,
  useOtherLayout,
  usePaletteResults,
  usePages,
  type Colleague,
  type Entry,
} from './command-palette-entries.ts'
import { usePaletteTexts } from './palette-texts.ts'
import styles from './command-palette.module.css'

const ColleagueCard = lazy(async () => ({
  default: (await import('../screens/users/own/profile-card.tsx')).ColleagueCard,
}))

/** Longest text that the search calls accept. */
const MAX_LENGTH = 100

/**
 * Shows the command palette (rules/frame#palette): a search field that opens pages, users and notices and runs
 * commands. Arrows select an entry, Enter or a click runs it and closes the palette. For a colleague the card of the
 * user takes its place (rules/colleagues#profile-card). A text in the other keyboard layout is offered only if nothing
 * matches.
 */
export function Palette({ onClose }: { onClose: () => void }) {
  const { frame } = usePortalMessages()
  const t = usePaletteTexts()
  const router = useRouter()
  const id = useId()
  const [opener] = useState(() => document.activeElement)
  const [text, setText] = useState('')
  const [person, setPerson] = useState<Colleague>()
  const anchor = useRef<HTMLElement>(null)
  const [activeKey, setActiveKey] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const query = text.trim()
  const settledQuery = useDebounced(query)
  const pages = usePages(query)
  const commands = useCommands(query)
  const otherLayout = useOtherLayout(query, search)
  const results = usePaletteResults(settledQuery)
  const isSearching = settledQuery !== query || results.isSearching
  // Hide the results of the previous query.
  const found = [pages, commands, ...(settledQuery === query ? results.groups : [])].filter(
    ({ entries }) => entries.length > 0,
  )
  // Only without any result: Latin names and IDs may be plausible in Hangul too.
  const isOtherOffered = found.length === 0 && !isSearching && otherLayout.entries.length > 0
  const groups = isOtherOffered ? [otherLayout] : found
  const entries = groups.flatMap((group) => group.entries)
  const active = entries.find((entry) => keyOf(entry) === activeKey) ?? entries[0]
  const idOf = (entry: Entry) => `${id}-${keyOf(entry)}`
  const activeId = active && idOf(active)

  // After react-aria has put the focus on the dialog itself.
  useEffect(() => input.current?.focus(), [])
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  function search(to: string): void {
    setText(to)
    setActiveKey(undefined)
  }

  /**
   * Runs the entry, shows the card of its person, or opens its URL. Closes the palette, unless the entry changes the
   * keyboard layout.
   */
  function choose({ href, run, person: chosen }: Entry): void {
    if (isOtherOffered) {
      run?.()
      input.current?.focus()
      return
    }
    if (chosen !== undefined) {
      // The button of the palette, which every page has.
      anchor.current = document.querySelector<HTMLElement>('[aria-keyshortcuts]')
      setPerson(chosen)
      return
    }
    // Restore the focus before the navigation: a leave guard returns it to the opener.
    flushSync(onClose)
    if (opener instanceof HTMLElement) opener.focus()
    if (run) run()
    else router.history.push(href)
  }

  function closeCard(): void {
    flushSync(onClose)
    anchor.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Enter and arrows belong to the input method while it composes.
    if (event.nativeEvent.isComposing || active === undefined) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (step === undefined) choose(active)
    else {
      const next = entries[(entries.indexOf(active) + step + entries.length) % entries.length]
      setActiveKey(next && keyOf(next))
    }
  }

  function onClick(event: MouseEvent, entry: Entry): void {
    // The browser opens new tabs and windows.
    if (!entry.run && (event.ctrlKey || event.metaKey || event.shiftKey)) return
    event.preventDefault()
    choose(entry)
  }

  if (person !== undefined)
    return (
      <Suspense>
        <ColleagueCard anchor={anchor} person={person} onClose={closeCard} />
      </Suspense>
    )

  const { label } = t
  return (
    <LocaleProvider>
      <ModalOverlay className={classes(shared.backdrop)} isOpen isDismissable onOpenChange={onClose}>
        <Modal className={classes(shared.modal, styles.modal)}>
          <Dialog className={classes(styles.dialog)} aria-label={label}>
            <div className={styles.box}>
              <SearchIcon />
              <input
                ref={input}
                role="combobox"
                aria-label={label}
                placeholder={label}
                aria-autocomplete="list"
                aria-expanded={active !== undefined}
                aria-controls={active && `${id}-list`}
                aria-activedescendant={activeId}
                autoComplete="off"
                spellCheck={false}
                maxLength={MAX_LENGTH}
                value={text}
                onChange={({ target }) => search(target.value)}
                onKeyDown={onKeyDown}
              />
            </div>
            {active !== undefined && (
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select opens by itself
              <div id={`${id}-list`} role="listbox" aria-label={label} className={styles.list}>
                {groups.map(({ title, entries: groupEntries }) => (
                  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is no part of a listbox
                  <div key={title} role="group" aria-label={title}>
                    <p aria-hidden="true">{title}</p>
                    {groupEntries.map((entry) => (
                      // A link, so that a new tab can open it; the keys are the box's.
                      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
                      <a
                        key={keyOf(entry)}
                        id={idOf(entry)}
                        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                        role="option"
                        aria-selected={entry === active}
                        tabIndex={-1}
                        href={entry.href || undefined}
                        onPointerMove={() => setActiveKey(keyOf(entry))}
                        onClick={(event) => onClick(event, entry)}
                      >
                        <span className={layout.ellipsis} lang={entry.lang}>
                          {entry.title}
                        </span>
                        {entry.detail !== '' && <small>{entry.detail}</small>}
                      </a>
                    ))}
                  </div>
                ))}
              </div>
            )}
            {results.isFailed && settledQuery === query && (
              <ErrorState
                message={t.failed}
                retryLabel={frame.retry}
                onRetry={results.retry}
                isPending={results.isSearching}
              />
            )}
            <footer className={styles.foot}>
              <output>
                {isSearching
                  ? t.searching
                  : query !== '' &&
                    !results.isFailed &&
                    (found.length === 0
                      ? t.empty(query)
                      : t.found(pages.entries.length + commands.entries.length + results.count))}
                {!isSearching && results.isShortForPeople && ` · ${t.shortPeople}`}
              </output>
              <span aria-hidden="true">
                ↑↓ {t.keys.move} · Enter {t.keys.open} · Esc {t.keys.close}
              </span>
            </footer>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </LocaleProvider>
  )
}

/** Returns the key that identifies an entry. */
const keyOf = ({ href, key = '' }: Entry) => `${href}#${key}`
