import { createLink } from '@tanstack/react-router'
import { useState } from 'react'
import { ALL } from '../../../../contract/common.ts'
import { deleteTeam, listTeams, NO_TEAM } from '../../../../contract/teams.ts'
import { COLLEAGUES_PER_PAGE, listColleagues } from '../../../../contract/users.ts'
import { call } from '../../../api/client.ts'
import { invalidate, query } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { useAffiliations } from '../../../forms/choices.ts'
import { LoadState } from '../../../forms/load-error.tsx'
import { type Team, useTeams, useTeamTexts } from '../../../forms/teams.ts'
import { useHasFunction } from '../../../layout/use-permission.ts'
import { usePortalMessages } from '../../../language.tsx'
import { defineList } from '../../../lists/use-list.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Page } from '../../../ui/card.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import layout from '../../../ui/layout.module.css'
import { showToast } from '../../../ui/toasts.ts'
import { ColleagueList } from './colleague-list.tsx'
import { OrganizationTree, type Place } from './organization-tree.tsx'
import styles from './organization.module.css'
import { useLazyPart } from '../../../ui/use-lazy-part.ts'

/** Definition of the list of colleagues at /organization: filters, page size and query. */
const people = defineList({
  path: '/organization',
  filters: { affiliationCode: ALL, teamId: ALL },
  perPage: COLLEAGUES_PER_PAGE,
  query: ({ filters, page }, perPage) => query(listColleagues, { ...filters, page, perPage }),
})

/** Prefetches the list for the URL. */
export const { load } = people

const LinkTo = createLink(LinkButton)

/** Loads the dialog of a team, which only managers need. */
const loadDialog = () => import('./team-dialog.tsx')

/**
 * Shows the page /organization (rules/teams#organization-page): affiliations and teams as a tree, and the colleagues of
 * the selected one. The URL holds the selection. Administrators of users can add, edit and delete teams in the
 * affiliations of their branch, and find its users without a team to add them. Deleting (`deleteTeam`) asks first.
 */
export default function Organization() {
  const { titles } = usePortalMessages()
  const t = useTeamTexts()
  const list = people.useList()
  const page = people.usePage(list)
  const found = useTeams()
  const affiliations = useAffiliations({ isWhole: true })
  const managed = useAffiliations()
  const isManager = useHasFunction('autho_user_manage')
  const [edited, setEdited] = useState<{ team?: Team; below?: Team; affiliationCode: string }>()
  const dialog = useLazyPart(loadDialog)

  const { filters } = list
  const team = found.teams.find(({ teamId }) => teamId === filters.teamId)
  const affiliationCode = team?.affiliationCode ?? filters.affiliationCode
  const affiliation = affiliations.options.find(({ value }) => value === affiliationCode)
  const name = team?.path ?? affiliation?.label ?? t.wholeCompany
  const mayManage = isManager && managed.options.some(({ value }) => value === affiliationCode)

  function edit(what: typeof edited): void {
    setEdited(what)
    dialog.open()
  }

  function choose(place: Place): void {
    list.search({ affiliationCode: ALL, teamId: ALL, ...place })
  }

  async function remove({ teamId, version, label }: Team): Promise<void> {
    const question = { title: t.delete, message: t.deleteText(label), isDanger: true }
    if (!(await dialogs.confirm(question))) return
    try {
      await call(deleteTeam, { teamId, version })
      choose({ affiliationCode })
      showToast(t.deleted(label))
    } catch (error) {
      await showRefusal(error)
    }
    await invalidate(listTeams)
  }

  return (
    <Page title={titles.organization}>
      <p className={layout.quiet}>{t.lead}</p>
      <div className={styles.page}>
        {found.isSuccess && !affiliations.isLoading ? (
          <OrganizationTree
            affiliations={affiliations.options}
            teams={found.teams}
            chosen={team === undefined ? { affiliationCode } : { teamId: team.teamId }}
            onChoose={choose}
          />
        ) : (
          <LoadState query={found} loading={t.loading} failed={t.failed} />
        )}
        <section aria-labelledby="organization-people" className={layout.stack}>
          <div className={styles.head}>
            <h2 id="organization-people">{t.members(name)}</h2>
            {mayManage && (
              <div className={styles.actions}>
                {team !== undefined && (
                  <>
                    {/* The bulk change of the list puts the selected users into a team. */}
                    <LinkTo size="small" to="/user/search" search={{ affiliationCode, teamId: NO_TEAM }}>
                      {t.addMembers}
                    </LinkTo>
                    <Button size="small" variant="danger" onClick={() => void remove(team)}>
                      {t.delete}
                    </Button>
                    <Button size="small" onClick={() => edit({ team, affiliationCode })}>
                      {t.edit}
                    </Button>
                  </>
                )}
                <Button
                  size="small"
                  onClick={() => edit({ affiliationCode, ...(team !== undefined && { below: team }) })}
                >
                  {team === undefined ? t.create : t.createBelow}
                </Button>
              </div>
            )}
          </div>
          <ColleagueList page={page} />
        </section>
      </div>
      {dialog.opened !== undefined && edited !== undefined && (
        <dialog.opened.TeamDialog
          {...edited}
          teams={found.teams}
          about={affiliation?.label ?? ''}
          onMade={(teamId) => choose({ teamId })}
          onClose={dialog.close}
        />
      )}
    </Page>
  )
}
