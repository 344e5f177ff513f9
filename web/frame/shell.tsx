import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BackToTop } from './back-to-top.tsx'
import { Footer } from './footer.tsx'
import styles from './shell.module.css'
import { SlimHeader } from './slim-header.tsx'

/** The layout of screens before a session: no menu, but language and theme. */
export function SlimFrame({ children }: { children?: ReactNode }) {
  return <Shell header={<SlimHeader />}>{children}</Shell>
}

/** The common layout of all pages: a header, the content, the footer and the button back to the top. */
export function Shell({ header, children }: { header: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.shell}>
      {header}
      <main id="content" className={styles.content}>
        {children ?? <Outlet />}
      </main>
      <Footer />
      <BackToTop />
    </div>
  )
}
