import { useController, useFormContext, useWatch } from 'react-hook-form'
import { OTHER_TEAMS } from '../../../../contract/teams.ts'
import { BoundSelect } from '../../../forms/bound-fields.tsx'
import { MultiChoice } from '../../../forms/multi-choice.tsx'
import { useAllTeamChoices, useTeamChoices, useTeamTexts } from '../../../forms/teams.ts'
import { usePortalMessages } from '../../../language.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import layout from '../../../ui/layout.module.css'
import type { UserFormValues, UserRecord } from './form-values.ts'

/**
 * Shows the fields for the main team, one of the selected affiliation, and the additional teams
 * (rules/teams#membership). Renders nothing without teams or before an affiliation is selected. Must be inside a
 * `FormGrid`.
 */
export function TeamFields() {
  const { fields } = usePortalMessages()
  const t = useTeamTexts()
  const { control } = useFormContext<UserFormValues>()
  const affiliation = useWatch<UserFormValues, 'affiliationCode'>({ name: 'affiliationCode' })
  const mainTeam = useWatch<UserFormValues, 'teamId'>({ name: 'teamId' })
  const { field: others } = useController<UserFormValues, 'otherTeamIds'>({ control, name: 'otherTeamIds' })
  const main = useTeamChoices(affiliation)
  const all = useAllTeamChoices({ includeAll: false, isEnabled: affiliation !== '' })
  if (all.kept.length === 0) return null
  return (
    <>
      <BoundSelect<UserFormValues>
        name="teamId"
        label={fields.teamId}
        choices={{ ...main, options: [{ value: '', label: t.none }, ...main.options] }}
      />
      <div className={layout.fullRow}>
        <MultiChoice
          label={fields.otherTeamIds}
          choices={{ ...all, options: all.options.filter(({ value }) => value !== mainTeam) }}
          kept={all.kept}
          values={others.value ?? []}
          onChange={others.onChange}
          onBlur={others.onBlur}
          most={OTHER_TEAMS}
          emptyText={t.none}
          addText={t.add}
          removeText={t.remove}
        />
      </div>
    </>
  )
}

/**
 * Shows the teams of the user's own record as read-only fields, because others choose them. Renders nothing without a
 * team.
 */
export function OwnTeams({ record: { teamId, otherTeamIds } }: { record: UserRecord }) {
  const { fields } = usePortalMessages()
  const t = useTeamTexts()
  const ids = [teamId, ...otherTeamIds].filter((id) => id !== '')
  const { kept } = useAllTeamChoices({ includeAll: true, isEnabled: ids.length > 0 })
  if (ids.length === 0) return null
  const nameOf = (id: string) => kept.find(({ value }) => value === id)?.label ?? ''
  return (
    <>
      <TextField
        label={fields.teamId}
        value={nameOf(teamId)}
        onChange={() => {}}
        description={t.ownHint}
        isReadOnly
      />
      {otherTeamIds.length > 0 && (
        <TextField
          label={fields.otherTeamIds}
          value={otherTeamIds.map(nameOf).join(', ')}
          onChange={() => {}}
          isReadOnly
        />
      )}
    </>
  )
}
