import styles from './avatar.module.css'

/** A round mark of a person: the given name of a Korean name (길동), else the first letter. */
export function Avatar({ name, isLarge = false }: { name: string; isLarge?: boolean }) {
  const isKorean = /^[가-힣]{2,4}$/.test(name)
  return (
    <span className={styles.avatar} data-large={isLarge || undefined} aria-hidden="true">
      {isKorean ? name.slice(-2) : name.slice(0, 1).toUpperCase()}
    </span>
  )
}
