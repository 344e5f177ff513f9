import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { getAuthority, listMenus } from '../../../contract/common.ts'
import { GROUP_NAME } from '../../../contract/permissions.ts'
import { query } from '../../api/query.ts'
import { LoadFailed } from '../../forms/load-error.tsx'
import { usePortalMessages } from '../../language.tsx'
import { usePrefetch } from '../../routes/prefetch.ts'
import { Card } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { Building } from '../common/building-illustration.tsx'
import styles from './home.module.css'
import { useHomeTexts } from './home-texts.ts'
import { NoticePanel } from './notice-panel.tsx'
import { LatestKeys, OwnDrafts, OwnUploads, QuickActions } from './own-work.tsx'
import { ToDoCard, useToDo } from './to-do.tsx'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { wasGuideShown } from '../../setup-guide.ts'

export { load } from './load-home.ts'

/** The user search, whose code loads for the role HR. */
const UserSearchPanel = lazy(async () => ({
  default: (await import('../users/search/user-search.page.tsx')).UserSearchPanel,
}))

/**
 * The home page /main: the newest notices, next to them the user's open tasks, for the role HR the user search, and
 * below them drafts, links, keys and uploads. Other roles get the greeting on a drawing of the building
 * (rules/home#right-panel).
 */
export default function Home() {
  const t = usePortalMessages()
  const home = useHomeTexts()
  const authority = useQuery(query(getAuthority, {}))
  // The header makes these calls. This page only reads their results.
  const menus = useQuery({ ...query(listMenus, {}), enabled: false })
  const toDo = useToDo()
  const groupName = authority.data?.groupName
  const hasBuilding = groupName !== undefined && groupName !== GROUP_NAME.hr
  usePrefetch(menus.data?.flatMap(({ items }) => items.map(({ url }) => url)))
  return (
    <div className={styles.screen}>
      <header className={classes(styles.greeting, hasBuilding && styles.banner)}>
        {hasBuilding && <Building label={t.frame.building} />}
        <h1>{authority.data === undefined ? t.titles.main : home.welcome(authority.data.name)}</h1>
        {authority.data !== undefined && (
          <p>
            {authority.data.setup && <SetupHint setup={authority.data.setup} />}
            {authority.data.factorDay && (
              <>
                {' '}
                {home.factorHint(authority.data.factorDay)} <Link to="/mypage">{home.factorLink}</Link>
              </>
            )}
            {!authority.data.setup && !authority.data.factorDay && home.welcomeText}
          </p>
        )}
      </header>
      {authority.isError && authority.data === undefined && (
        <LoadFailed query={authority} message={home.panelFailed} />
      )}
      <div className={classes(styles.panels, groupName === GROUP_NAME.hr && styles.withUsers)}>
        <div className={styles.notices}>
          <NoticePanel />
        </div>
        <div className={styles.toDo}>
          <ToDoCard toDo={toDo} />
        </div>
        {groupName === GROUP_NAME.hr && (
          <div className={styles.users}>
            <Card title={t.titles.userSearch}>
              <Suspense>
                <UserSearchPanel />
              </Suspense>
            </Card>
          </div>
        )}
        {/* Shown together, so that no part moves what the user is about to click. */}
        {!toDo.isPending && (
          <div className={styles.work}>
            <OwnDrafts />
            <QuickActions functions={authority.data?.functions ?? []} />
            <LatestKeys keys={toDo.data?.keys} />
            <OwnUploads />
          </div>
        )}
      </div>
    </div>
  )
}

/**
 * Redirects to the setup guide if it is open and this tab has not shown it since the login; else shows a link to it.
 */
function SetupHint({ setup }: { setup: NonNullable<OutputOf<typeof getAuthority>['setup']> }) {
  const t = usePortalMessages().settings.guide
  if (setup === 'open' && !wasGuideShown()) return <Navigate to="/setup" replace />
  return (
    <>
      {t.hint} <Link to="/setup">{t.hintLink}</Link>
    </>
  )
}
