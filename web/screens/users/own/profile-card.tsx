import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RefObject } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { COLLEAGUE, getColleague } from '../../../../contract/users.ts'
import { query } from '../../../api/query.ts'
import { LoadFailed } from '../../../forms/load-failed.tsx'
import { Avatar } from '../../../frame/avatar.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { hyphenated } from '../../../lists/columns.ts'
import { FactList } from '../../../ui/fact-list.tsx'
import layout from '../../../ui/layout.module.css'
import { PopoverPanel } from '../../../ui/popover-panel.tsx'
import { useColleagueTexts } from '../search/colleague-texts.ts'
import styles from '../record/person-name.module.css'

interface Props {
  anchor: RefObject<HTMLElement | null>
  userId: string
  /** Name of the user when the card was opened. */
  name: string
  onClose: () => void
}

/** Shows a user's profile under the name: what the user shares, and what the viewer may see (rules/colleagues#profile-card). */
export function ProfileCard({ anchor, userId, name, onClose }: Props) {
  const t = useColleagueTexts().card
  const person = useQuery(query(getColleague, { userId }))
  const refused = person.error?.isServerFailure === false ? person.error.msg : t.failed
  return (
    <PopoverPanel anchor={anchor} label={t.label(name)} align="start" onClose={onClose}>
      <div className={styles.card}>
        <div className={styles.head}>
          <Avatar name={name} isLarge />
          <div>
            <strong>{person.data?.name ?? name}</strong>
            {person.data?.position !== undefined && (
              <span className={layout.quiet}>
                {person.data.affiliationName} · {person.data.position}
              </span>
            )}
          </div>
        </div>
        {person.data !== undefined ? (
          <Details person={person.data} userId={userId} />
        ) : person.isError ? (
          <LoadFailed query={person} message={refused} />
        ) : (
          <output className={layout.quiet}>{t.loading}</output>
        )}
      </div>
    </PopoverPanel>
  )
}

function Details({ person, userId }: { person: OutputOf<typeof getColleague>; userId: string }) {
  const { fields } = usePortalMessages()
  const { card: t, hidden } = useColleagueTexts()
  const { state, phoneNumber = '', email = '', editable } = person
  const none = <span className={layout.quiet}>{hidden}</span>
  const phone = phoneNumber === '' ? none : <a href={`tel:${phoneNumber}`}>{hyphenated(phoneNumber)}</a>
  const mail = email === '' ? none : <a href={`mailto:${email}`}>{email}</a>
  return (
    <>
      {state === COLLEAGUE.present ? (
        <FactList
          facts={[
            [fields.phoneNumber, phone],
            [fields.email, mail],
          ]}
        />
      ) : (
        <p className={layout.quiet}>{state === COLLEAGUE.withdrawn ? t.withdrawn : t.away}</p>
      )}
      {editable &&
        (state === COLLEAGUE.withdrawn ? (
          <Link to="/user/withdrawn" search={{ userId }}>
            {t.toWithdrawn}
          </Link>
        ) : (
          <Link to="/user/detail" search={{ userId }}>
            {t.toUser}
          </Link>
        ))}
    </>
  )
}
