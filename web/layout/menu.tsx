import type { UseQueryResult } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { flushSync } from 'react-dom'
import { useRef, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { listMenus } from '../../contract/common.ts'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { MenuIcon } from '../ui/icons.tsx'
import { moveFocus } from '../ui/move-focus.ts'
import { Avatar } from './avatar.tsx'
import styles from './menu.module.css'
import { OwnLinks } from './user-menu-links.tsx'
import { useHoverIntent } from './use-hover-intent.ts'

/** Groups of the menu with the pages that the user may open. */
type Groups = OutputOf<typeof listMenus>

const PANEL_ID = 'menu-panel'
/** Returns the element ID of the top-level item of a group. */
const groupId = (index: number) => `menu-group-${index}`
/** Returns the style that lines up the columns of the bar and of the panel. */
const columns = (count: number) => ({ '--groups': count }) as CSSProperties

interface MenuBarProps {
  menus: UseQueryResult<Groups>
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
  /** The open panel, rendered inside so that Tab moves from the items into it. */
  children: ReactNode
}

/**
 * Shows the top-level items of the menu. For a mouse they are links to the first page of their group, and hovering
 * opens the panel. For touch and keyboard they are buttons that open it (design/pages#menu-and-header). Enter, Space
 * and ArrowDown open the panel, the left and right arrows move between items, and Tab moves into the panel. Shows a
 * retry button instead if the menu could not be loaded.
 */
export function MenuBar({ menus, isOpen, onOpen, onClose, children }: MenuBarProps) {
  const t = usePortalMessages().frame
  const path = usePath()
  const rest = useHoverIntent(onOpen)
  const pressedBy = useRef('')

  function toggle() {
    if (isOpen) onClose()
    else onOpen()
  }

  function onKeyDown(event: KeyboardEvent, index: number) {
    if (event.key !== 'ArrowDown' && event.key !== ' ') return
    event.preventDefault()
    if (event.key === ' ') {
      if (!event.repeat) toggle()
      return
    }
    flushSync(onOpen)
    document.querySelector<HTMLElement>(`#${PANEL_ID} [aria-labelledby="${groupId(index)}"] a`)?.focus()
  }

  // If loading the menu again fails, the previous menu stays.
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
      {/* As in the panel below. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul style={columns(menus.data.length)} onKeyDown={walkAlong}>
        {menus.data.map(({ groupTitle, items }, index) => (
          <li key={groupTitle}>
            <a
              // For keyboards and screen readers it is a button: they reach the first page in the panel.
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
              role="button"
              id={groupId(index)}
              className={styles.group}
              href={items[0]?.url}
              draggable={false}
              aria-expanded={isOpen}
              aria-controls={isOpen ? PANEL_ID : undefined}
              data-current={items.some(({ url }) => sectionOf(url) === sectionOf(path)) || undefined}
              onPointerMove={rest.onPointerMove}
              onPointerLeave={rest.stop}
              onPointerDown={({ pointerType }) => {
                rest.stop()
                pressedBy.current = pointerType
              }}
              onClick={(event) => {
                // A key clicks without having pressed.
                if (event.detail > 0 && pressedBy.current === 'mouse') return
                event.preventDefault()
                toggle()
              }}
              onKeyDown={(event) => onKeyDown(event, index)}
            >
              <span>{groupTitle}</span>
            </a>
          </li>
        ))}
      </ul>
      {/* Replaces the items if there is no space for them. */}
      <button
        type="button"
        className={styles.menuButton}
        aria-label={t.menu}
        aria-expanded={isOpen}
        aria-controls={isOpen ? PANEL_ID : undefined}
        onClick={toggle}
      >
        <MenuIcon />
      </button>
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

/**
 * Shows the full-width panel of the menu: the links of every group under its top-level item, and a fixed right column
 * with the user and the links of the user's menu (rules/frame#header).
 */
export function MenuPanel({ groups, name, userId, groupLabel }: MenuPanelProps) {
  const t = usePortalMessages().frame
  const path = usePath()
  return (
    <div id={PANEL_ID} className={styles.panel}>
      <div className={styles.inner}>
        <div className={styles.columns} style={columns(groups.length)}>
          {groups.map(({ groupTitle, items }, index) => (
            // Arrow keys are a convenience in addition to Tab. The links themselves are interactive.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <ul
              key={groupTitle}
              data-title={groupTitle}
              aria-labelledby={groupId(index)}
              onKeyDown={walkDown}
            >
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
          <OwnLinks />
        </section>
      </div>
    </div>
  )
}

/** Moves the focus between groups with the left and right arrows. */
function walkAlong(event: KeyboardEvent<HTMLUListElement>) {
  moveFocus(event, event.currentTarget.querySelectorAll('a'), { ArrowRight: 1, ArrowLeft: -1 }, true)
}

/** Moves the focus between the links of a group with the up and down arrows. Up from the first link moves to the group itself. */
function walkDown(event: KeyboardEvent<HTMLUListElement>) {
  const list = event.currentTarget
  const group = document.getElementById(list.getAttribute('aria-labelledby') ?? '')
  moveFocus(event, [...(group ? [group] : []), ...list.querySelectorAll('a')], { ArrowDown: 1, ArrowUp: -1 })
}

/** Returns the router's current path, after any kind of navigation. */
function usePath(): string {
  return useLocation({ select: ({ pathname }) => pathname })
}

/**
 * Returns the first part of a path. A page that is in no menu belongs to the group of the pages with the same first
 * part.
 */
function sectionOf(path: string): string | undefined {
  return path.split('/')[1]
}
