import * as z from 'zod/mini'
import { filter, line } from '../../../../contract/fields.ts'
import { createTeam, listTeams, teamChoice, updateTeam } from '../../../../contract/teams.ts'
import { listColleagues, listUsers } from '../../../../contract/users.ts'
import { call } from '../../../api/client.ts'
import { invalidate } from '../../../api/query.ts'
import { BoundSelect, BoundText } from '../../../forms/bound-fields.tsx'
import { fixedChoices } from '../../../forms/choices.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { type Team, useTeamTexts } from '../../../forms/teams.ts'
import { useDialogForm } from '../../../forms/use-dialog-form.ts'
import { FormGrid } from '../../../ui/form-grid.tsx'

/** Schema of the form. An empty `parentId` puts the team directly below the affiliation. */
const schema = z.strictObject({ name: line(50), nameEn: filter(50), parentId: teamChoice })

interface Props {
  /** The team to edit; undefined for a new one. */
  team?: Team
  /** The team above a new one. */
  below?: Team
  affiliationCode: string
  teams: readonly Team[]
  /** Name of the affiliation. */
  about: string
  /** Called with the ID of a new team. */
  onMade: (teamId: string) => void
  onClose: () => void
}

/**
 * Shows a dialog that adds a team (`createTeam`), or renames or moves one within its affiliation (`updateTeam`,
 * rules/teams#tree). Does not offer the team itself or one below it as its parent. TEAM_NAME_TAKEN, TEAM_PARENT and
 * TEAM_NOT_FOUND appear at their field.
 */
export function TeamDialog({ team, below, affiliationCode, teams, about, onMade, onClose }: Props) {
  const t = useTeamTexts()
  const others = teams.filter((one) => one.affiliationCode === affiliationCode && !isBelow(one, team, teams))
  const dialog = useDialogForm({
    schema,
    initial: {
      name: team?.name ?? '',
      nameEn: team?.nameEn ?? '',
      parentId: team?.parentId ?? below?.teamId ?? '',
    },
    submit: async (values) => {
      if (team !== undefined)
        return void (await call(updateTeam, { ...values, teamId: team.teamId, version: team.version }))
      const { teamId } = await call(createTeam, { ...values, affiliationCode })
      // The page shows the new team, so it must know it.
      await invalidate(listTeams)
      onMade(teamId)
    },
    done: (_, { name }) => (team === undefined ? t.created(name) : undefined),
    fieldOf: { TEAM_NAME_TAKEN: 'name', TEAM_PARENT: 'parentId', TEAM_NOT_FOUND: 'parentId' },
    onChanged: () => Promise.all([listTeams, listUsers, listColleagues].map(invalidate)),
    onClose,
  })
  return (
    <FormDialog {...dialog} title={team === undefined ? t.create : t.edit} about={about} submitLabel={t.save}>
      <FormGrid columns={1} labels="top">
        <BoundText name="name" label={t.name} autoComplete="off" isRequired />
        <BoundText name="nameEn" label={t.nameEn} autoComplete="off" description={t.nameEnHint} />
        <BoundSelect
          name="parentId"
          label={t.parent}
          choices={fixedChoices([
            { value: '', label: t.noParent },
            ...others.map(({ teamId, path }) => ({ value: teamId, label: path })),
          ])}
        />
      </FormGrid>
    </FormDialog>
  )
}

/** Returns whether a team is the other one or below it; false without another one. */
function isBelow(one: Team, other: Team | undefined, teams: readonly Team[]): boolean {
  if (other === undefined) return false
  if (one.teamId === other.teamId) return true
  const parent = teams.find(({ teamId }) => teamId === one.parentId)
  return parent !== undefined && isBelow(parent, other, teams)
}
