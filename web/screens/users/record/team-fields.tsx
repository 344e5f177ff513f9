import type { ReactNode } from 'react'
import { useController, useFormContext, useWatch } from 'react-hook-form'
import { OTHER_TEAMS } from '../../../../contract/teams.ts'
import { BoundSelect } from '../../../forms/bound-fields.tsx'
import { MultiChoice } from '../../../forms/multi-choice.tsx'
import { useAllTeamChoices, useTeamChoices, useTeamTexts } from '../../../forms/teams.ts'
import { usePortalMessages } from '../../../language.tsx'
import type { SelectOption } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import layout from '../../../ui/layout.module.css'
import type { UserFormValues, UserRecord } from './form-values.ts'

/**
 * Shows the fields for the main team, one of the selected affiliation, and for the additional teams of any affiliation,
 * at most OTHER_TEAMS (rules/teams#membership). The fields only change the form. Warns if the selected affiliation ends
 * the saved main team. Renders nothing if there are no teams, or before an affiliation is selected. Must be inside a
 * `FormGrid`.
 * @param record the saved user; undefined for a new one
 */
export function TeamFields({ record }: { record?: UserRecord }) {
  const { fields } = usePortalMessages()
  const t = useTeamTexts()
  const { control } = useFormContext<UserFormValues>()
  const affiliation = useWatch<UserFormValues, 'affiliationCode'>({ name: 'affiliationCode' })
  const mainTeam = useWatch<UserFormValues, 'teamId'>({ name: 'teamId' })
  const { field: others } = useController<UserFormValues, 'otherTeamIds'>({ control, name: 'otherTeamIds' })
  const main = useTeamChoices(affiliation)
  const all = useAllTeamChoices({ includeAll: false, isEnabled: affiliation !== '' })
  const lostTeamHint = useLostTeamHint(record, all.kept)
  if (all.kept.length === 0) return null
  return (
    <>
      <BoundSelect<UserFormValues>
        name="teamId"
        label={fields.teamId}
        description={lostTeamHint}
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
 * Shows the teams of the user's own record as read-only fields, because administrators choose them. Leaves out the
 * additional teams if there are none; renders nothing without any team.
 */
export function OwnTeams({ record }: { record: UserRecord }) {
  const { teamId, otherTeamIds } = record
  const { fields } = usePortalMessages()
  const t = useTeamTexts()
  const ids = [teamId, ...otherTeamIds].filter((id) => id !== '')
  const { kept } = useAllTeamChoices({ includeAll: true, isEnabled: ids.length > 0 })
  const lostTeamHint = useLostTeamHint(record, kept)
  if (ids.length === 0) return null
  const nameOf = (id: string) => kept.find(({ value }) => value === id)?.label ?? ''
  return (
    <>
      <TextField
        label={fields.teamId}
        value={nameOf(teamId)}
        onChange={() => {}}
        description={lostTeamHint ?? t.ownHint}
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

/**
 * Returns the hint that the selected affiliation will end the saved main team (rules/teams#membership). Returns
 * undefined if the affiliation is the saved one, or the user has no main team.
 * @param options all teams as choices, for the name of the team
 */
function useLostTeamHint(record: UserRecord | undefined, options: readonly SelectOption[]): ReactNode {
  const t = useTeamTexts()
  const affiliation = useWatch<UserFormValues, 'affiliationCode'>({ name: 'affiliationCode' })
  const team = options.find(({ value }) => value === record?.teamId)
  if (team === undefined || affiliation === record?.affiliationCode) return undefined
  return <span aria-live="polite">{t.leaves(team.label)}</span>
}
