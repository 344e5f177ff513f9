import { Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { portalConfig } from '../api/config.ts'
import { useMessages } from '../language.tsx'
import { DialogHost } from '../ui/dialog-host.tsx'
import styles from './root.module.css'

/** What surrounds every page: skip link, page title, focus, dialogs. */
export function Root() {
  const t = useMessages().frame
  usePageTitle()
  useFocusOnNavigation()
  return (
    <>
      <a className={styles.skip} href="#content">
        {t.skipToContent}
      </a>
      <Outlet />
      <DialogHost labels={t} />
    </>
  )
}

/** The title of the innermost route that has one; a path outside the route table is the 404 page. */
function usePageTitle(): void {
  const t = useMessages().frame
  const key = useMatches({
    select(matches) {
      const match = matches.findLast(({ staticData }) => staticData.title !== undefined)
      const title = match?.staticData.title
      return typeof title === 'function' ? title(match?.search ?? {}) : title
    },
  })
  const title = t.pageTitle(t.titles[key ?? 'notFound'], portalConfig().logoText || t.productName)
  useEffect(() => {
    document.title = title
  }, [title])
}

/** After a navigation inside the page the focus goes to the new page's heading, as a page load would. */
function useFocusOnNavigation(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return
        const content = document.getElementById('content')
        // A screen that asks for something at once, as login does, has put the focus there.
        if (content === null || content.contains(document.activeElement)) return
        const target = content.querySelector('h1') ?? content
        target.tabIndex = -1
        target.focus({ preventScroll: true })
      }),
    [router],
  )
}
