import styles from './sentence.module.css'

/** A text shown with a capital, where the catalogue has the spec's own small letter. */
export function Sentence({ children }: { children: string }) {
  return <span className={styles.sentence}>{children}</span>
}
