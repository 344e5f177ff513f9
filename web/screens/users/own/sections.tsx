import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { getFactors } from '../../../../contract/account/second-factor.ts'
import { listPrograms } from '../../../../contract/keys.ts'
import { getSharing } from '../../../../contract/users.ts'
import { recordQuery } from '../../../api/query.ts'
import { usePortalMessages } from '../../../language.tsx'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import type { UserRecord } from '../record/form-values.ts'
import { useColleagueTexts } from '../search/colleague-texts.ts'
import { levelOf } from './own-cards.tsx'
import styles from './sections.module.css'

/** Names of the sections of /mypage, in order. */
const NAMES = ['profile', 'security', 'sharing', 'programs', 'data'] as const
/** Name of a section of /mypage. */
type Name = (typeof NAMES)[number]

/** Content of each section, by its name. */
interface Props extends Record<Name, ReactNode> {
  record: UserRecord
  children: ReactNode
}

/** Returns the HTML ID of a section, which is also its hash in the URL. */
const idOf = (name: Name) => `own-${name}`

/** Scrolls to a section and moves the focus to it. */
function open(name: Name): void {
  const section = document.querySelector<HTMLElement>(`#${idOf(name)}`)
  section?.scrollIntoView()
  section?.focus({ preventScroll: true })
}

/**
 * Shows the sections of /mypage, and a navigation with a link to each and its state (rules/users#own-page). A link
 * scrolls to its section and focuses it, without a change of the URL. A hash in the URL opens a section in the same
 * way.
 * @param children content after the sections, such as a dialog
 */
export function Sections({ record, children, ...sections }: Props) {
  const t = usePortalMessages().users.own
  const states = useStates(record)
  const hash = useLocation({ select: (location) => location.hash })
  useEffect(() => {
    const linked = NAMES.find((name) => idOf(name) === hash)
    if (linked !== undefined) open(linked)
  }, [hash])

  return (
    <div className={classes(layout.parts, styles.page)}>
      <nav aria-label={t.nav} className={styles.nav}>
        {NAMES.map((name) => (
          <a
            key={name}
            href={`#${idOf(name)}`}
            className={styles.link}
            onClick={(event) => {
              // A change of the URL would ask about unsaved input.
              event.preventDefault()
              open(name)
            }}
          >
            <strong>{t[name]}</strong>
            <span className={layout.hint}>{states[name] ?? '\u00a0'}</span>
          </a>
        ))}
      </nav>
      <div className={layout.parts}>
        {NAMES.map((name) => (
          <section key={name} id={idOf(name)} aria-label={t[name]} tabIndex={-1} className={layout.parts}>
            {sections[name]}
          </section>
        ))}
      </div>
      {children}
    </div>
  )
}

/**
 * Returns the state of each section in a few words, by section: the ID or an open affiliation request, the second
 * factors, the sharing, and the number of valid tokens. A section is missing until its state is loaded, or if it has
 * none.
 */
function useStates(record: UserRecord): Partial<Record<Name, string>> {
  const t = usePortalMessages().users.own
  const { levels } = useColleagueTexts().sharing
  const factors = useQuery(recordQuery(getFactors, {})).data
  const sharing = useQuery(recordQuery(getSharing, {})).data
  const programs = useQuery(recordQuery(listPrograms, {})).data
  const ways = factors && [
    factors.totpSince !== '' && t.app,
    factors.passkeys.length > 0 && t.passkeys(factors.passkeys.length),
    factors.codesSince !== '' && t.codes(factors.codesLeft),
  ]
  return {
    profile: record.affiliationRequest ? t.asksAffiliation : record.userId,
    ...(ways && { security: ways.filter((way) => way !== false).join(' · ') || t.noFactor }),
    ...(sharing && {
      sharing: t.phoneAndEmail(
        levels[levelOf(sharing.phoneShown, sharing.phoneHidden)],
        levels[levelOf(sharing.emailShown, sharing.emailHidden)],
      ),
    }),
    ...(programs && {
      programs: t.tokens(
        programs.programs.filter(({ state }) => state === 'live' || state === 'soon').length,
      ),
    }),
  }
}
