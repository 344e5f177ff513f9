import { Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { titleOf, useMessages } from '../language.tsx'
import { DialogHost } from '../ui/dialog-host.tsx'
import { DeferredLayout } from './deferred.tsx'
import { useShownRecord } from './record-name.ts'
import styles from './root.module.css'
import { usePortalNames } from './portal-names.ts'

/**
 * Renders every page with its surroundings: skip link, page title, focus after a navigation, dialogs and the deferred
 * layout.
 */
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
      <DeferredLayout />
    </>
  )
}

/**
 * Sets the page title to that of the innermost route with a title, and the name of the record
 * (rules/frame#titles). A path outside the route table is the 404 page.
 */
function usePageTitle(): void {
  const t = useMessages().frame
  const own = useMatches({
    select(matches) {
      const match = matches.findLast(({ staticData }) => staticData.title !== undefined)
      const title = match?.staticData.title
      const key = typeof title === 'function' ? title(match?.search ?? {}) : title
      return key === undefined ? t.notFoundTitle : titleOf(key)
    },
  })
  const { logoText } = usePortalNames()
  const record = useShownRecord()
  const title = own && t.pageTitle([record, own].filter(Boolean).join(' · '), logoText || t.productName)
  useEffect(() => {
    if (title !== undefined) document.title = title
  }, [title])
}

/**
 * Moves the focus to the heading after a navigation to another path, as a page load would. Does nothing if the screen
 * has set the focus itself, or for the first page.
 */
function useFocusOnNavigation(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return
        const content = document.getElementById('content')
        // A screen with an input, such as the login, has already set the focus.
        if (content === null || content.contains(document.activeElement)) return
        const target = content.querySelector('h1') ?? content
        target.tabIndex = -1
        target.focus({ preventScroll: true })
      }),
    [router],
  )
}
