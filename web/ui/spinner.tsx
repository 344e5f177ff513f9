import styles from './spinner.module.css'

/** Shows a rotating ring in the current color. It is decoration, so put a text next to it that says what is loading. */
export function Spinner({ size = 20 }: { size?: number | undefined }) {
  return (
    <svg aria-hidden="true" className={styles.spinner} width={size} height={size} viewBox="0 0 20 20">
      <circle className={styles.track} cx="10" cy="10" r="7.5" />
      <path d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5" />
    </svg>
  )
}
