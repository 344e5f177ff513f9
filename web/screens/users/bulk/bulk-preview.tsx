import { useEffect, useRef, useState } from 'react'
import { CODE_GROUP } from '../../../../contract/common.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { BulkAction, previewBulk } from '../../../../contract/users.ts'
import { useCodes } from '../../../forms/choices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormActions } from '../../../ui/form-grid.tsx'
import type { BulkValues } from './bulk-fields.tsx'
import styles from './bulk-preview.module.css'
import { useRoles } from '../search/lists.ts'
import layout from '../../../ui/layout.module.css'

interface Props {
  action: BulkAction
  values: BulkValues
  preview: OutputOf<typeof previewBulk>
  /** True if another user changed a record before this change: nothing was changed, and the preview is new. */
  isOutdated: boolean
  onBack: () => void
  onRun: () => Promise<void>
}

/** Shows the users that a bulk action will change, those that it cannot change and why, and its button. */
export function BulkPreview({ action, values, preview, isOutdated, onBack, onRun }: Props) {
  const { users } = usePortalMessages()
  const t = users.bulk
  const [isRunning, setRunning] = useState(false)
  const { userCount, obstacleCount, obstacleCounts } = preview
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [])
  const target = useTarget(action, values)
  const isDanger = action === 'suspend' || action === 'withdraw'

  return (
    <div ref={panel} tabIndex={-1} className={layout.stack}>
      {isOutdated && (
        <p role="alert" className={layout.warning}>
          {t.stale}
        </p>
      )}
      <p>
        <b>{userCount === 0 ? t.nobody : t.will[action](userCount.toLocaleString(), target)}</b>
      </p>
      <People
        title={t.people}
        total={userCount}
        people={preview.users.map(({ present, ...person }) => ({ ...person, note: present }))}
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
          <People
            title={t.excluded}
            total={obstacleCount}
            people={preview.obstacles.map(({ obstacle, ...person }) => ({
              ...person,
              note: t.obstacles[obstacle],
            }))}
          />
        </>
      )}
      <FormActions start={<Button onClick={onBack}>{t.back}</Button>}>
        <Button
          variant={isDanger ? 'danger' : 'primary'}
          isDisabled={userCount === 0}
          isPending={isRunning}
          onClick={() => {
            setRunning(true)
            void onRun().finally(() => setRunning(false))
          }}
        >
          {t.run[action](userCount.toLocaleString())}
        </Button>
      </FormActions>
    </div>
  )
}

interface PeopleProps {
  title: string
  total: number
  people: readonly { userId: string; name: string; note: string }[]
}

/** A scrollable list of the first users, and the number of the others. */
function People({ title, total, people }: PeopleProps) {
  const t = usePortalMessages().users.bulk
  if (people.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard scrolls it
    <section aria-label={title} tabIndex={0} className={styles.people}>
      <ul>
        {people.map(({ userId, name, note }) => (
          <li key={userId}>
            <span>{name === '' ? userId : `${name} (${userId})`}</span>
            <span className={layout.quiet}>{note}</span>
          </li>
        ))}
        {total > people.length && <li>{t.more((total - people.length).toLocaleString())}</li>}
      </ul>
    </section>
  )
}

const labelIn = (options: readonly { value: string; label: string }[], code = '') =>
  options.find(({ value }) => value === code)?.label ?? code

/** Returns the label of the new value. */
function useTarget(action: BulkAction, values: BulkValues): string {
  const roles = useRoles()
  const affiliations = useCodes(CODE_GROUP.affiliation)
  if (action === 'extend') return values.validTo ?? ''
  if (action === 'role') return labelIn(roles.options, values.roleCode)
  if (action !== 'move') return ''
  return [labelIn(affiliations.options, values.affiliationCode), values.partnerCode].join(' · ')
}
