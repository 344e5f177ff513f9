import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode, type RefObject } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { COLLEAGUE, getColleague, type listColleagues } from '../../../../contract/users.ts'
import { query } from '../../../api/query.ts'
import { LoadState } from '../../../forms/load-error.tsx'
import { Avatar } from '../../../layout/avatar.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { formatPhone } from '../../../lists/columns.ts'
import { writeToClipboard } from '../../../ui/copy-text.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import layout from '../../../ui/layout.module.css'
import { PopoverPanel } from '../../../ui/popover-panel.tsx'
import { useColleagueTexts } from '../search/colleague-texts.ts'
import styles from '../record/person-name.module.css'

/** Element below which the panel opens, and what happens when it closes. */
interface Props {
  anchor: RefObject<HTMLElement | null>
  onClose: () => void
}

/** Profile of a colleague, as the server returns it. */
type Person = OutputOf<typeof getColleague>

/**
 * Shows a colleague's profile in a panel under the name: what the colleague shares, and what the viewer may see
 * (rules/colleagues#profile-card). Loads it by `getColleague` when the panel opens, and shows a loading or error state
 * until then. A colleague who is absent or withdrawn has only that state. Viewers who may administer the account get a
 * link to it.
 */
export function ProfileCard(
  props: Props & { userId: string; /** Name when the card was opened. */ name: string },
) {
  const { userId, name, ...place } = props
  const t = useColleagueTexts().card
  const person = useQuery(query(getColleague, { userId }))
  const refused = person.error?.isServerFailure === false ? person.error.message : t.failed
  return (
    <Panel {...place} name={name} person={person.data}>
      {person.data !== undefined ? (
        <Details person={person.data} userId={userId} />
      ) : (
        <LoadState query={person} loading={t.loading} failed={refused} />
      )}
    </Panel>
  )
}

/**
 * Shows the profile panel of a row of the directory. The row has all its data, so it loads nothing
 * (rules/colleagues#directory).
 */
export function ColleagueCard(
  props: Props & { person: OutputOf<typeof listColleagues>['colleagues'][number] },
) {
  const { person, ...place } = props
  return (
    <Panel {...place} name={person.name} person={person}>
      <Contacts person={person} />
    </Panel>
  )
}

/**
 * Shows the panel of a profile: avatar, name, and affiliation, team and position if they are known, above the content.
 */
function Panel(props: Props & { name: string; person: Partial<Person> | undefined; children: ReactNode }) {
  const { anchor, onClose, name, person, children } = props
  const t = useColleagueTexts().card
  return (
    <PopoverPanel anchor={anchor} label={t.label(name)} align="start" onClose={onClose}>
      <div className={styles.card}>
        <div className={styles.head}>
          <Avatar name={name} isLarge />
          <div>
            <strong>{person?.name ?? name}</strong>
            {person?.position !== undefined && (
              <span className={layout.quiet}>
                {[person.affiliationName, person.teamName, person.position].filter(Boolean).join(' · ')}
              </span>
            )}
          </div>
        </div>
        {children}
      </div>
    </PopoverPanel>
  )
}

/**
 * Shows the contacts of a present colleague, or that the colleague is absent or withdrawn. Adds a link to the account
 * if the viewer may administer it.
 */
function Details({ person, userId }: { person: Person; userId: string }) {
  const t = useColleagueTexts().card
  const { state, editable } = person
  return (
    <>
      {state === COLLEAGUE.present ? (
        <Contacts person={person} />
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

/** Lists phone number, email, additional teams and custom fields. Omits teams and fields that are empty. */
function Contacts({
  person: { phoneNumber = '', email = '', otherTeamNames = [], details = [] },
}: {
  person: Partial<Person>
}) {
  const { fields } = usePortalMessages()
  const t = useColleagueTexts().card
  return (
    <dl className={styles.contacts}>
      <Contact
        name={fields.phoneNumber}
        text={formatPhone(phoneNumber)}
        href={`tel:${phoneNumber}`}
        action={t.call}
      />
      <Contact name={fields.email} text={email} href={`mailto:${email}`} action={t.mail} />
      {otherTeamNames.length > 0 && (
        <div>
          <dt>{fields.otherTeamIds}</dt>
          <dd>{otherTeamNames.join(', ')}</dd>
        </div>
      )}
      {details.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface ContactProps {
  name: string
  /** Empty if the viewer may not see it. */
  text: string
  href: string
  /** Text of the link. */
  action: string
}

/**
 * Shows a phone number or email with a link that uses it and a button that copies it to the clipboard. Shows 'hidden'
 * for an empty text. Reports whether the copy worked.
 */
function Contact({ name, text, href, action }: ContactProps) {
  const { hidden } = useColleagueTexts()
  const { forms } = usePortalMessages()
  const [copied, setCopied] = useState('')

  async function copy(): Promise<void> {
    setCopied((await writeToClipboard(text)) ? forms.copied : forms.copyFailed)
  }

  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {text === '' ? (
          <span className={layout.quiet}>{hidden}</span>
        ) : (
          <>
            <span className={styles.contact}>{text}</span>
            <span className={layout.row}>
              <LinkButton size="small" href={href} aria-label={`${action}: ${text}`}>
                {action}
              </LinkButton>
              <Button size="small" aria-label={`${forms.copy}: ${text}`} onClick={() => void copy()}>
                {forms.copy}
              </Button>
            </span>
          </>
        )}
        <output className={layout.hint}>{copied}</output>
      </dd>
    </div>
  )
}
