import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import {
  CHOOSABLE,
  chooseNotification,
  countUnreadNotifications,
  listNotificationChoices,
  listNotifications,
  MAIL,
} from '../../../contract/notifications.ts'
import { call } from '../../api/client.ts'
import { invalidate, prefetch, queryClient, recordQuery } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { Crumbs } from '../../layout/breadcrumbs.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import layout from '../../ui/layout.module.css'
import { RadioGroup } from '../../ui/radio-group.tsx'
import styles from './notification-setting.module.css'
import { useNotificationTexts } from './notifications.ts'

/** The user's preferences for a kind of notification. */
type Choice = OutputOf<typeof listNotificationChoices>['choices'][number]

/** Query for the preferences. */
const choices = recordQuery(listNotificationChoices, {})

/** Prefetches the user's notification preferences. */
export function load(): void {
  void prefetch(choices)
}

/**
 * The page /notification/setting (rules/notifications#choices): whether the portal shows each kind of notification, and
 * whether it mails it. A change is saved immediately.
 */
export default function NotificationSetting() {
  const { titles } = usePortalMessages()
  const t = useNotificationTexts().setting
  const found = useQuery(choices)
  const { keep, isSaved } = useKeep()
  useShowRefusal(found.error)
  return (
    <Page
      title={titles.notificationSetting}
      crumbs={<Crumbs list={<Link to="/notification/search">{titles.notifications}</Link>} />}
    >
      {found.data === undefined ? (
        <RecordStates query={found} {...t} />
      ) : (
        <Card title={t.title}>
          <p className={layout.lead}>{t.lead}</p>
          <ul className={styles.kinds}>
            {found.data.choices.map((choice) => (
              <Kind key={choice.kind} choice={choice} onChange={(next) => void keep(next)} />
            ))}
          </ul>
          <output className={layout.hint}>{isSaved ? t.saved : '\u00a0'}</output>
        </Card>
      )}
    </Page>
  )
}

/**
 * Saves the user's preferences.
 * @returns `keep`, which shows a changed preference immediately and saves one at a time (`chooseNotification`), so that
 * the last one wins; and `isSaved`. After a refusal it shows the reason and the saved preferences
 */
function useKeep() {
  const [isSaved, setSaved] = useState(false)
  const before = useRef<Promise<unknown>>(Promise.resolve())

  async function keep({ kind, shown, mail }: Choice): Promise<void> {
    const choosable = CHOOSABLE.find((one) => one === kind)
    if (choosable === undefined) return
    setSaved(false)
    queryClient.setQueryData(
      choices.queryKey,
      (known) =>
        known && { choices: known.choices.map((one) => (one.kind === kind ? { ...one, shown, mail } : one)) },
    )
    const save = before.current.then(() => call(chooseNotification, { kind: choosable, shown, mail }))
    before.current = save.catch(() => {})
    try {
      await save
      setSaved(true)
    } catch (refusal) {
      await showRefusal(refusal)
      // The server decides which settings are now in effect.
      await queryClient.refetchQueries({ queryKey: choices.queryKey })
    }
    // The count of the bell excludes hidden kinds.
    await Promise.all([listNotifications, countUnreadNotifications].map(invalidate))
  }

  return { keep, isSaved }
}

/**
 * Shows the preferences of a kind of notification, whether it is shown and when it is mailed; or a text for a kind that
 * cannot be changed.
 */
function Kind({ choice, onChange }: { choice: Choice; onChange: (next: Choice) => void }) {
  const t = useNotificationTexts().setting
  const id = useId()
  return (
    <li className={styles.kind}>
      <fieldset aria-labelledby={id} className={styles.choices}>
        <span id={id} className={styles.name}>
          {t.kinds[choice.kind]}
        </span>
        {choice.changeable ? (
          <>
            <Checkbox
              label={t.shown}
              value={choice.shown}
              onChange={(shown) => onChange({ ...choice, shown })}
            />
            <div className={styles.mail}>
              <span aria-hidden="true">{t.mail}</span>
              <RadioGroup
                label={t.mail}
                value={choice.mail}
                onChange={(mail) => onChange({ ...choice, mail })}
                options={Object.values(MAIL).map((value) => ({ value, label: t.mails[value] }))}
              />
            </div>
          </>
        ) : (
          <span className={styles.fixed}>{t.fixed}</span>
        )}
      </fieldset>
    </li>
  )
}
