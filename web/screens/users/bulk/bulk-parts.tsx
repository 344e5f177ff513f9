import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { NO_TEAM } from '../../../../contract/teams.ts'
import {
  BULK_WITHDRAWN_UNASKED,
  type BulkAction,
  type bulkFields,
  type previewBulk,
  type PreviewedAction,
  REASON_MAX,
} from '../../../../contract/users.ts'
import { BoundDate, BoundSelect, BoundText } from '../../../forms/bound-fields.tsx'
import { type Choices, useAffiliations } from '../../../forms/choices.ts'
import { useAllTeamChoices, useTeamTexts } from '../../../forms/teams.ts'
import { usePortalMessages } from '../../../language.tsx'
import { AffectedList } from '../../../ui/affected-list.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormActions } from '../../../ui/form-grid.tsx'
import layout from '../../../ui/layout.module.css'
import { PreviewPanel } from '../../../ui/preview-panel.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ReasonField, SuspensionFields } from '../account/account-dialogs.tsx'
import { PartnerSelect } from '../record/partner-select.tsx'
import { useRoles } from '../search/lists.ts'

/** Names of the fields of an action, for each of several actions. */
type FieldOf<Action> = Action extends BulkAction ? keyof (typeof bulkFields)[Action] : never

/** Values of the fields of all bulk actions. A form has only those of its action. */
export type BulkValues = Partial<Record<FieldOf<BulkAction>, string | undefined>>

/** Shows the form fields of a bulk action; none for `invite` and `restore`. Must be inside a `Form` of its schema. */
export function BulkFields({ action }: { action: BulkAction }) {
  const { fields, users } = usePortalMessages()
  switch (action) {
    case 'extend':
      return (
        <BoundDate<BulkValues> name="validTo" label={fields.validTo} description={users.bulk.extendHint} />
      )
    case 'role':
      return <RoleField />
    case 'move':
      return <MoveFields />
    case 'team':
      return <TeamField />
    case 'suspend':
      return <SuspensionFields />
    case 'lift':
      return <ReasonField />
    case 'invite':
    case 'restore':
      return null
    case 'withdraw':
      return (
        <BoundText<BulkValues>
          name="withdrawnReason"
          label={fields.withdrawnReason}
          maxLength={REASON_MAX}
          autoComplete="off"
        />
      )
  }
}

/** Shows the select of the roles that the user may grant. */
function RoleField() {
  const { fields } = usePortalMessages()
  return <BoundSelect<BulkValues> name="roleCode" label={fields.roleCode} choices={useRoles()} isRequired />
}

/** Shows the selects of an affiliation and its partner code. Another affiliation clears the partner code. */
function MoveFields() {
  const { fields } = usePortalMessages()
  const { setValue } = useFormContext<BulkValues>()
  const affiliation = useWatch<BulkValues, 'affiliationCode'>({ name: 'affiliationCode' })
  return (
    <>
      <BoundSelect<BulkValues>
        name="affiliationCode"
        label={fields.affiliationCode}
        choices={useAffiliations()}
        onChanged={() => setValue('partnerCode', '')}
        isRequired
      />
      <PartnerSelect name="partnerCode" label={fields.partnerCode} affiliation={affiliation ?? ''} />
    </>
  )
}

/** Shows the select of the main team: one that the user administers, or none. */
function TeamField() {
  const { fields, users } = usePortalMessages()
  return (
    <BoundSelect<BulkValues>
      name="teamId"
      label={fields.teamId}
      description={users.bulk.teamHint}
      choices={useMainTeams()}
      isRequired
    />
  )
}

/** Returns the teams that a bulk change offers as choices, after the choice of no team. */
function useMainTeams(isEnabled = true): Choices {
  const { none } = useTeamTexts()
  const teams = useAllTeamChoices({ includeAll: false, isEnabled })
  return { ...teams, options: [{ value: NO_TEAM, label: none }, ...teams.options] }
}

/** Props of `BulkPreview`. `values` are those of the form, to name the new value. */
interface Props {
  action: PreviewedAction
  values: BulkValues
  preview: OutputOf<typeof previewBulk>
  /** True if another user changed a record before this change: nothing was changed, and the preview is new. */
  isOutdated: boolean
  onBack: () => void
  onRun: () => Promise<void>
}

/**
 * Shows the users that a bulk action will change, those that it cannot change and why, and the button that makes the
 * change by `onRun`. The button is disabled if no user can be changed. A withdrawal of more than BULK_WITHDRAWN_UNASKED
 * users first asks the user to type their number.
 */
export function BulkPreview({ action, values, preview, isOutdated, onBack, onRun }: Props) {
  const { users, forms } = usePortalMessages()
  const t = users.bulk
  const [isRunning, setRunning] = useState(false)
  const [typedCount, typeCount] = useState('')
  const { userCount, teamEndCount, obstacleCount, obstacleCounts } = preview
  const target = useTarget(action, values)
  const asksCount = action === 'withdraw' && userCount > BULK_WITHDRAWN_UNASKED
  const isDanger = action === 'suspend' || action === 'withdraw'

  return (
    <PreviewPanel
      headline={userCount === 0 ? t.nobody : t.will[action](userCount.toLocaleString(), target)}
      warning={isOutdated ? t.stale : undefined}
    >
      {teamEndCount > 0 && <p className={layout.warning}>{t.teamEnds(teamEndCount.toLocaleString())}</p>}
      <AffectedList
        title={t.people}
        total={userCount}
        items={preview.users.map(({ present, ...person }) => ({ ...itemOf(person), note: present }))}
        more={t.more}
      />
      {obstacleCount > 0 && (
        <>
          <p>
            {t.left(obstacleCount.toLocaleString())}{' '}
            {obstacleCounts
              .map(
                ({ obstacle, userCount: count }) =>
                  `${t.obstacles[obstacle]} ${t.number(count.toLocaleString())}`,
              )
              .join(', ')}
          </p>
          <AffectedList
            title={t.excluded}
            total={obstacleCount}
            items={preview.obstacles.map(({ obstacle, ...person }) => ({
              ...itemOf(person),
              note: t.obstacles[obstacle],
            }))}
            more={t.more}
          />
        </>
      )}
      {asksCount && (
        <TextField
          label={t.withdrawCount(userCount.toLocaleString())}
          value={typedCount}
          onChange={typeCount}
          inputMode="numeric"
          autoComplete="off"
          isRequired
        />
      )}
      <FormActions start={<Button onClick={onBack}>{action === 'undo' ? forms.cancel : t.back}</Button>}>
        <Button
          variant={isDanger ? 'danger' : 'primary'}
          isDisabled={
            userCount === 0 || (asksCount && typedCount.replaceAll(',', '').trim() !== `${userCount}`)
          }
          isPending={isRunning}
          onClick={() => {
            setRunning(true)
            void onRun().finally(() => setRunning(false))
          }}
        >
          {t.run[action](userCount.toLocaleString())}
        </Button>
      </FormActions>
    </PreviewPanel>
  )
}

/** Returns a user as an entry of a list: name and ID, or the ID alone for an unknown name. */
const itemOf = ({ userId, name }: { userId: string; name: string }) => ({
  id: userId,
  text: name === '' ? userId : `${name} (${userId})`,
})

/** Returns the label of a code among options, or the code itself if it is not among them. */
const labelIn = (options: readonly { value: string; label: string }[], code = '') =>
  options.find(({ value }) => value === code)?.label ?? code

/** Returns the label of the new value of a bulk action; '' for an action without one. */
function useTarget(action: PreviewedAction, values: BulkValues): string {
  const roles = useRoles()
  const affiliations = useAffiliations()
  const teams = useMainTeams(action === 'team')
  if (action === 'extend') return values.validTo ?? ''
  if (action === 'role') return labelIn(roles.options, values.roleCode)
  if (action === 'team') return labelIn(teams.options, values.teamId)
  if (action !== 'move') return ''
  return [labelIn(affiliations.options, values.affiliationCode), values.partnerCode].join(' · ')
}
