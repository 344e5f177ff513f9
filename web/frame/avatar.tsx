import styles from './avatar.module.css'

/** A round mark of a person: the first letter of the name. */
export function Avatar({ name, isLarge = false }: { name: string; isLarge?: boolean }) {
  return (
    <span className={styles.avatar} data-large={isLarge || undefined} aria-hidden="true">
      {Array.from(name)[0]?.toUpperCase()}
    </span>
  )
}
