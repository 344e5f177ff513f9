import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSessionUserId } from '../session.ts'
import { BackToTop } from './back-to-top.tsx'
import { Footer } from './footer.tsx'
import styles from './frame.module.css'
import { Header, SlimHeader } from './header.tsx'

/** The page frame (spec §1, §2): header with the menu once somebody is signed in, content, footer, back-to-top. */
export function Frame({ children }: { children?: ReactNode }) {
  const isSignedIn = useSessionUserId() !== null
  return <Shell header={isSignedIn ? <Header /> : <SlimHeader />}>{children}</Shell>
}

/** The frame of the screens before a session: no menu, but language and theme. */
export function SlimFrame() {
  return <Shell header={<SlimHeader />} />
}

function Shell({ header, children }: { header: ReactNode; children?: ReactNode }) {
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
