import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { getAuthority, listMenus } from '../../contract/common.ts'
import { query } from '../api/query.ts'
import { cacheFunctions, useSessionUserId } from '../session.ts'
import { AccountMenu } from './account-menu.tsx'
import { Bell } from './bell.tsx'
import styles from './header.module.css'
import { MenuBar, MenuPanel } from './menu.tsx'
import { Logo } from './guest-header.tsx'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { SearchIcon } from '../ui/icons.tsx'
import { loadPalette, SHORTCUT } from './use-palette.tsx'

/** Milliseconds for which the panel stays after the mouse has left it, so that a slip does not close it. */
const CLOSE_AFTER_MS = 160

/**
 * Shows the global header (rules/frame#header): the logo, the menu from the server with its drop-down panel, search,
 * bell, and the avatar with the user's menu. Loads the menu (`listMenus`) and the user's role (`getAuthority`), and
 * stores the permissions for `hasCachedFunction`. Esc, a click elsewhere and the leaving mouse close what is open.
 * @param onFind opens the command palette
 */
export function Header({ onFind }: { onFind: () => void }) {
  const menus = useQuery(query(listMenus, {}))
  const authority = useQuery(query(getAuthority, {}))
  const functions = authority.data?.functions
  useEffect(() => {
    if (functions !== undefined) cacheFunctions(functions)
  }, [functions])
  const me = {
    name: authority.data?.name ?? '',
    userId: useSessionUserId() ?? '',
    groupLabel: authority.data?.groupLabel,
  }
  const [open, setOpen] = useState<'menu' | 'account'>()
  const header = useRef<HTMLElement>(null)
  const account = useRef<HTMLDivElement>(null)
  const accountButton = useRef<HTMLButtonElement>(null)
  const lastGroup = useRef<HTMLElement>(null)
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined)

  function keepOpen() {
    clearTimeout(closing.current)
  }

  function closeSoon(event: PointerEvent) {
    if (event.pointerType !== 'mouse') return
    keepOpen()
    closing.current = setTimeout(() => setOpen((now) => (now === 'menu' ? undefined : now)), CLOSE_AFTER_MS)
  }

  function close() {
    keepOpen()
    setOpen(undefined)
  }

  useEffect(() => {
    if (open === undefined) return
    // Touch fires no leave event and moves no focus.
    const onPress = ({ target }: Event) => {
      const inside = open === 'menu' ? header : account
      if (target instanceof Node && !inside.current?.contains(target)) setOpen(undefined)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [open])

  return (
    // Closes the panel for keyboard and mouse. The buttons inside open it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <header
      ref={header}
      className={styles.header}
      onPointerEnter={keepOpen}
      onPointerLeave={closeSoon}
      onFocus={({ target }) => {
        if (target.ariaExpanded !== null) lastGroup.current = target
      }}
      onBlur={(event) => {
        // Tab has left the header at its end, or the user clicked elsewhere.
        if (event.relatedTarget !== null && !header.current?.contains(event.relatedTarget)) close()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || open === undefined) return
        close()
        if (open === 'menu') lastGroup.current?.focus()
        else accountButton.current?.focus()
      }}
    >
      <div className={styles.bar}>
        <Logo href="/main" />
        <MenuBar menus={menus} isOpen={open === 'menu'} onOpen={() => setOpen('menu')} onClose={close}>
          {open === 'menu' && menus.data !== undefined && <MenuPanel groups={menus.data} {...me} />}
        </MenuBar>
        <div className={styles.tools}>
          <PaletteButton onOpen={onFind} />
          <Bell isReady={menus.data !== undefined} />
          <AccountMenu
            {...me}
            isOpen={open === 'account'}
            onToggle={() => setOpen(open === 'account' ? undefined : 'account')}
            ref={account}
            button={accountButton}
          />
        </div>
      </div>
    </header>
  )
}

/** Starts loading the command palette when the pointer or the focus reaches its button. Ignores a failure. */
const preload = () => void loadPalette().catch(() => {})

/**
 * Shows a button that opens the command palette and shows its shortcut. The palette loads when the pointer or the focus
 * reaches it.
 */
function PaletteButton({ onOpen }: { onOpen: () => void }) {
  const t = usePortalMessages().frame
  return (
    <Button
      variant="quiet"
      size="small"
      title={`${t.find} (${SHORTCUT.text})`}
      aria-haspopup="dialog"
      aria-keyshortcuts={SHORTCUT.keys}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={onOpen}
    >
      <SearchIcon size={16} />
      <span className="visually-hidden">{t.find}</span>
      <span aria-hidden="true">{SHORTCUT.text}</span>
    </Button>
  )
}
