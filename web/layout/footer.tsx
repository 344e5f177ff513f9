import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useMessages } from '../language.tsx'
import { useSessionUserId } from '../session.ts'
import { ChevronDownIcon } from '../ui/core-icons.tsx'
import styles from './footer.module.css'
import { usePortalNames } from './portal-names.ts'

/** Storage key, set while the user wants to see the offices. */
const STORED = 'offices'

/** Year of the copyright, from the clock of the browser. */
const YEAR = new Date().getFullYear()

/**
 * Shows copyright and offices with address, telephone and fax (rules/frame#footer), and a link to the privacy notice if
 * one is published. For a logged-in user the offices are folded, and the browser stores the choice to unfold them.
 */
export function Footer() {
  const t = useMessages().frame
  const { company, offices, privacy } = usePortalNames()
  const isFoldable = useSessionUserId() !== null && offices.length > 0
  const [isChosen, setChosen] = useState(() => localStorage.getItem(STORED) !== null)
  const isOpen = !isFoldable || isChosen
  const footer = useRef<HTMLElement>(null)
  const id = useId()

  function toggle() {
    flushSync(() => setChosen(!isOpen))
    if (isOpen) localStorage.removeItem(STORED)
    else {
      localStorage.setItem(STORED, 'open')
      footer.current?.scrollIntoView({ block: 'end' })
    }
  }

  const all = (
    // A list without an entry is none.
    <ul id={id} className={styles.offices} aria-label={t.offices} hidden={!isOpen || offices.length === 0}>
      {offices.map(({ name, address, phone, fax }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two offices may have one name
        <li key={index} className={styles.office}>
          <strong>{name}</strong>
          <span>{address}</span>
          {phone !== '' && (
            <span>
              <abbr>{t.tel}</abbr> {phone}
            </span>
          )}
          {fax !== '' && (
            <span>
              <abbr>{t.fax}</abbr> {fax}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
  const copyright = (
    <p className={styles.copyright}>
      {t.copyright(company || t.productName, YEAR)}
      {privacy && <a href="/privacy">{t.privacy}</a>}
    </p>
  )

  return (
    <footer ref={footer} className={styles.footer}>
      <div className={styles.inner}>
        {isFoldable ? (
          <>
            <div className={styles.line}>
              {copyright}
              <button
                type="button"
                className={styles.fold}
                aria-expanded={isOpen}
                aria-controls={id}
                onClick={toggle}
              >
                {t.offices}
                <ChevronDownIcon size={14} />
              </button>
            </div>
            {all}
          </>
        ) : (
          <>
            {all}
            {copyright}
          </>
        )}
      </div>
    </footer>
  )
}
