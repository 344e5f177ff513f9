import { useEffect, useRef, useState } from 'react'
import { CODE_GROUP } from '../../../../contract/common.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { BulkAction, previewBulk } from '../../../../contract/users.ts'
import { useCodes } from '../../../forms/choices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormActions } from '../../../ui/form-grid.tsx'
import type { BulkValues } from './bulk-dialog.tsx'
import styles from './bulk-preview.module.css'
import { useRoles } from '../search/lists.ts'
import layout from '../../../ui/layout.module.css'

interface Props {
  action: BulkAction
  values: BulkValues
  preview: OutputOf<typeof previewBulk>
  /** A colleague was quicker: nothing was done, and this is how it stands now. */
  isStale: boolean
  onBack: () => void
  onRun: () => Promise<void>
}

/** Who will be changed, from what, and who will not and why; then it is done or not. */
export function BulkPreview({ action, values, preview, isStale, onBack, onRun }: Props) {
  const { users } = usePortalMessages()
  const t = users.bulk
  const [isRunning, setRunning] = useState(false)
  const { userCount, obstacleCount, obstacleCounts } = preview
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  const target = useTarget(action, values)
  const isDanger = action === 'suspend' || action === 'withdraw'

  return (
    <div ref={place} tabIndex={-1} className={layout.stack}>
      {isStale && (
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

/** The first of them by name; a long list is walked by keyboard, too. */
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

/** What everybody will have, in words. */
function useTarget(action: BulkAction, values: BulkValues): string {
  const roles = useRoles()
  const affiliations = useCodes(CODE_GROUP.affiliation)
  if (action === 'extend') return values['validTo'] ?? ''
  if (action === 'role') return labelIn(roles.options, values['roleCode'])
  if (action !== 'move') return ''
  return [labelIn(affiliations.options, values['affiliationCode']), values['partnerCode']].join(' · ')
}
