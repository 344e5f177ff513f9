import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { getAuthority, listMenus } from '../../contract/common.ts'
import { query } from '../api/query.ts'
import { useMessages } from '../language.tsx'
import { useSessionUserId } from '../session.ts'
import { Avatar } from './avatar.tsx'
import styles from './header.module.css'
import { MenuBar, MenuPanel } from './menu.tsx'
import { Preferences } from './preferences.tsx'
import { useSessionWatch } from './session-watch.ts'
import { Logo } from './slim-header.tsx'

/** The panel stays this long after the mouse has left it, so that a slip does not close it. */
const CLOSE_AFTER_MS = 160

/** The global header (rules/frame#header): logo, the server's menu with its drop-down panel, preferences, avatar. */
export function Header() {
  const t = useMessages().frame
  useSessionWatch()
  const menus = useQuery(query(listMenus, {}))
  const authority = useQuery(query(getAuthority, {}))
  const userId = useSessionUserId() ?? ''
  const name = authority.data?.name ?? ''
  const [isOpen, setOpen] = useState(false)
  const header = useRef<HTMLElement>(null)
  const lastGroup = useRef<HTMLElement>(null)
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined)

  function keepOpen() {
    clearTimeout(closing.current)
  }

  function closeSoon(event: PointerEvent) {
    if (event.pointerType !== 'mouse') return
    keepOpen()
    closing.current = setTimeout(() => setOpen(false), CLOSE_AFTER_MS)
  }

  function close() {
    keepOpen()
    setOpen(false)
  }

  useEffect(() => {
    if (!isOpen) return
    // A finger neither leaves nor takes the focus with it.
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && !header.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [isOpen])

  return (
    // Closes the panel for keys and mouse alike; what opens it are the buttons inside.
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
        // Tab has walked out at the end, or somebody clicked elsewhere.
        if (event.relatedTarget !== null && !header.current?.contains(event.relatedTarget)) close()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        close()
        lastGroup.current?.focus()
      }}
    >
      <div className={styles.bar}>
        <Logo href="/main" />
        <MenuBar menus={menus} isOpen={isOpen} onOpen={() => setOpen(true)} onClose={close}>
          {isOpen && menus.data !== undefined && (
            <MenuPanel
              groups={menus.data}
              name={name}
              userId={userId}
              groupLabel={authority.data?.groupLabel}
            />
          )}
        </MenuBar>
        <div className={styles.tools}>
          <Preferences />
          <a className={styles.me} href="/mypage" title={t.myInfo}>
            <Avatar name={name} />
            <span className={styles.name}>{name}</span> <span className="visually-hidden">{t.myInfo}</span>
          </a>
        </div>
      </div>
    </header>
  )
}
