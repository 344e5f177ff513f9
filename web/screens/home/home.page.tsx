import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { getAuthority, listMenus } from '../../../contract/common.ts'
import { GROUP_NAME } from '../../../contract/permissions.ts'
import { query } from '../../api/query.ts'
import { LoadFailed } from '../../forms/load-failed.tsx'
import { usePortalMessages } from '../../language.tsx'
import { usePrefetch } from '../../routes/prefetch.ts'
import { Card } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { Building } from '../common/building.tsx'
import { SetupHint } from '../settings/setup-hint.tsx'
import layout from '../../ui/layout.module.css'
import styles from './home.module.css'
import { useHomeTexts } from './home-texts.ts'
import { NoticePanel } from './notice-panel.tsx'
import { OwnUploads } from './own-uploads.tsx'
import { LatestKeys, OwnDrafts, QuickActions } from './own-work.tsx'
import { ToDoCard, useToDo } from './to-do.tsx'

export { load } from './load-home.ts'

const UserSearchPanel = lazy(async () => ({
  default: (await import('../users/search/user-search.page.tsx')).UserSearchPanel,
}))

/** The home page: the newest notices on the left, a panel for the user's group on the right, then the user's tasks. */
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
    <div className={classes(styles.screen, hasBuilding && styles.withBanner)}>
      <header className={styles.greeting}>
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
      <div className={styles.panels}>
        <NoticePanel />
        <div className={styles.side}>
          {authority.isError && authority.data === undefined ? (
            <LoadFailed query={authority} message={home.panelFailed} />
          ) : (
            <SidePanel groupName={groupName} />
          )}
        </div>
        <div className={styles.work}>
          <ToDoCard toDo={toDo} />
          {/* Shown together, so that no part moves what the user is about to click. */}
          {!toDo.isPending && (
            <div className={layout.parts}>
              <OwnDrafts />
              <QuickActions functions={authority.data?.functions ?? []} />
              <LatestKeys keys={toDo.data?.keys} name={authority.data?.name ?? ''} />
              <OwnUploads />
            </div>
          )}
        </div>
      </div>
    </div>
  )
}

/** Only HR administrators search users on the home page. All other users see the building (rules/home#right-panel). */
function SidePanel({ groupName }: { groupName: string | undefined }) {
  const t = usePortalMessages()
  if (groupName === undefined) return null
  if (groupName !== GROUP_NAME.hr) {
    return (
      <figure className={styles.building}>
        <Building label={t.frame.building} />
      </figure>
    )
  }
  return (
    <div className={styles.users}>
      <Card title={t.titles.userSearch}>
        <Suspense>
          <UserSearchPanel />
        </Suspense>
      </Card>
    </div>
  )
}
