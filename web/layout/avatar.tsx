import styles from './avatar.module.css'

/** Shows the first letter of a user's name in a circle, hidden from screen readers. */
export function Avatar({ name, isLarge = false }: { name: string; isLarge?: boolean }) {
  return (
    <span className={styles.avatar} data-large={isLarge || undefined} aria-hidden="true">
      {Array.from(name)[0]?.toUpperCase()}
    </span>
  )
}
