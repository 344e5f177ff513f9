import type { UseQueryResult } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useRef, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { listMenus } from '../../contract/common.ts'
import { useMessages } from '../language.tsx'
import { LogoutIcon, UserIcon } from '../ui/icons.tsx'
import { Button } from '../ui/button.tsx'
import { Avatar } from './avatar.tsx'
import styles from './menu.module.css'

type Groups = OutputOf<typeof listMenus>

const PANEL_ID = 'menu-panel'
const groupId = (index: number) => `menu-group-${index}`
/** Columns of the bar and of the panel line up by this. */
const columns = (count: number) => ({ '--groups': count }) as CSSProperties

interface MenuBarProps {
  menus: UseQueryResult<Groups>
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
  /** The open panel: inside, so that Tab walks from the items into it. */
  children: ReactNode
}

/**
 * The top-level items. Hovering, Enter, Space and ArrowDown open the panel, Esc closes it, the left and
 * right arrows walk along; Tab goes on into the panel.
 */
export function MenuBar({ menus, isOpen, onOpen, onClose, children }: MenuBarProps) {
  const t = useMessages().frame
  const path = usePath()
  const bar = useRef<HTMLUListElement>(null)
  // The mouse opens by hovering, so the click that follows must not close again.
  const openedByHover = useRef(false)

  function press(event: KeyboardEvent<HTMLButtonElement>, index: number) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step !== undefined) {
      const buttons = bar.current?.querySelectorAll('button') ?? []
      buttons[(index + step + buttons.length) % buttons.length]?.focus()
    } else if (event.key === 'ArrowDown') {
      onOpen()
      // The panel is drawn by then.
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>(`#${PANEL_ID} [aria-labelledby="${groupId(index)}"] a`)?.focus(),
      )
    } else return
    event.preventDefault()
  }

  // What was loaded before stays when reading it again fails.
  if (menus.isError && menus.data === undefined) {
    return (
      <div className={styles.trouble} role="alert">
        {t.menuFailed}
        <Button size="small" onClick={() => void menus.refetch()} isPending={menus.isFetching}>
          {t.retry}
        </Button>
      </div>
    )
  }
  if (menus.data === undefined) {
    return (
      <div className={styles.bones} style={columns(4)}>
        <span className="visually-hidden">{t.menuLoading}</span>
      </div>
    )
  }
  return (
    <nav className={styles.bar} aria-label={t.menu}>
      <ul ref={bar} style={columns(menus.data.length)}>
        {menus.data.map(({ groupTitle, items }, index) => (
          <li key={groupTitle}>
            <button
              type="button"
              id={groupId(index)}
              className={styles.group}
              aria-expanded={isOpen}
              aria-controls={isOpen ? PANEL_ID : undefined}
              data-current={items.some(({ url }) => sectionOf(url) === sectionOf(path)) || undefined}
              onPointerEnter={(event) => {
                if (event.pointerType !== 'mouse' || isOpen) return
                openedByHover.current = true
                onOpen()
              }}
              onClick={() => {
                if (isOpen && !openedByHover.current) onClose()
                else onOpen()
                openedByHover.current = false
              }}
              onFocus={(event) => {
                for (const button of bar.current?.querySelectorAll('button') ?? [])
                  delete button.dataset['last']
                event.currentTarget.dataset['last'] = ''
              }}
              onKeyDown={(event) => press(event, index)}
            >
              {groupTitle}
            </button>
          </li>
        ))}
      </ul>
      {children}
    </nav>
  )
}

interface MenuPanelProps {
  groups: Groups
  name: string
  userId: string
  groupLabel: string | undefined
}

/** The full-width panel: every sub-menu under its group, and the fixed right column (rules/frame#header). */
export function MenuPanel({ groups, name, userId, groupLabel }: MenuPanelProps) {
  const t = useMessages().frame
  const path = usePath()
  return (
    <div id={PANEL_ID} className={styles.panel}>
      <div className={styles.inner}>
        <div className={styles.columns} style={columns(groups.length)}>
          {groups.map(({ groupTitle, items }, index) => (
            // Arrow keys are a convenience beside Tab; the links themselves do the work.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <ul key={groupTitle} aria-labelledby={groupId(index)} onKeyDown={walk}>
              {items.map(({ itemTitle, url }) => (
                <li key={url}>
                  {/* Full page navigation (rules/frame#full-navigation). */}
                  <a href={url} aria-current={url === path ? 'page' : undefined}>
                    {itemTitle}
                  </a>
                </li>
              ))}
            </ul>
          ))}
        </div>
        <section className={styles.account} aria-label={t.account}>
          <div className={styles.who}>
            <Avatar name={name} isLarge />
            <div>
              <strong>{t.signedInAs(name)}</strong>
              <span>{[groupLabel, userId].filter(Boolean).join(' · ')}</span>
            </div>
          </div>
          <a href="/mypage">
            <UserIcon size={18} />
            {t.myInfo}
          </a>
          <a href="/logout">
            <LogoutIcon size={18} />
            {t.logout}
          </a>
        </section>
      </div>
    </div>
  )
}

/** Up and down walk along the links of a group; up from the first goes back to the group itself. */
function walk(event: KeyboardEvent<HTMLUListElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const links = [...event.currentTarget.querySelectorAll('a')]
  const next = links.findIndex((link) => link === document.activeElement) + step
  const group = document.getElementById(event.currentTarget.getAttribute('aria-labelledby') ?? '')
  if (next < 0) group?.focus()
  else links[Math.min(next, links.length - 1)]?.focus()
}

/** Where the router is, however one came there. */
function usePath(): string {
  return useLocation({ select: ({ pathname }) => pathname })
}

/** The first part of a path: a page that is in no menu belongs to the group of its neighbours. */
function sectionOf(path: string): string | undefined {
  return path.split('/')[1]
}
