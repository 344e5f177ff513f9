import { useRef } from 'react'
import { hasProfile } from '../../../../contract/fields.ts'
import { useLazyPart } from '../../../ui/use-lazy-part.ts'
import styles from './person-name.module.css'

/** Loads the profile card. It opens now and then, so it is no part of a first load. */
const loadCard = () => import('../own/profile-card.tsx')
/** Starts to load the profile card, and ignores a failure. */
const preload = () => void loadCard().catch(() => {})

/**
 * Shows a name as a button that opens the user's profile card (rules/colleagues#profile-card). The name of an erased
 * account or of a program is plain text (rules/retention#withdrawn-people).
 */
export function PersonName({ userId, name }: { userId: string; name: string }) {
  return hasProfile(userId) ? <CardButton userId={userId} name={name} /> : name
}

/** Shows the name as a button that opens and closes the profile card below it. */
function CardButton({ userId, name }: { userId: string; name: string }) {
  const trigger = useRef<HTMLButtonElement>(null)
  const { opened, open, forget, close } = useLazyPart(loadCard)
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={styles.name}
        title={name}
        aria-haspopup="dialog"
        aria-expanded={opened !== undefined}
        onPointerEnter={preload}
        onFocus={preload}
        onBlur={forget}
        onClick={open}
      >
        {name}
      </button>
      {opened !== undefined && (
        <opened.ProfileCard anchor={trigger} userId={userId} name={name} onClose={close} />
      )}
    </>
  )
}
