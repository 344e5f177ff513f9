import { Link } from '@tanstack/react-router'
import { usePortalMessages } from '../language.tsx'
import styles from './setup-bar.module.css'

/** Shows a bar with a link back to the setup guide, for pages that the user opened from it. */
export default function SetupBar() {
  const t = usePortalMessages().settings.guide
  return (
    <nav className={styles.bar} aria-label={t.inSetup}>
      <span>{t.inSetup}</span>
      <Link to="/setup">{t.back}</Link>
    </nav>
  )
}
