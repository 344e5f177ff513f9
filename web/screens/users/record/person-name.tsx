import { useRef } from 'react'
import { isErased } from '../../../../contract/fields.ts'
import { useLatePart } from '../../../ui/use-late-part.ts'
import styles from './person-name.module.css'

// Opened now and then, and no part of a first load.
const loadCard = () => import('../own/profile-card.tsx')
const preload = () => void loadCard().catch(() => {})

/**
 * A name somewhere, which opens the profile card of its person (rules/colleagues#profile-card); of an erased account there is none
 * (rules/retention#withdrawn-people).
 */
export function PersonName({ userId, name }: { userId: string; name: string }) {
  return isErased(userId) ? name : <CardButton userId={userId} name={name} />
}

function CardButton({ userId, name }: { userId: string; name: string }) {
  const trigger = useRef<HTMLButtonElement>(null)
  const { opened, open, forget, close } = useLatePart(loadCard)
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
