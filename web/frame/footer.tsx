import { portalConfig } from '../api/config.ts'
import { useMessages } from '../language.tsx'
import styles from './footer.module.css'

const YEAR = new Date().getFullYear()

/** Company, head office and branches with address, telephone and fax (rules/frame#footer), from the deployment. */
export function Footer() {
  const t = useMessages().frame
  const { company, offices } = portalConfig()
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <ul className={styles.offices} aria-label={t.offices}>
          {offices.map(({ name, address, phone, fax }) => (
            <li key={name} className={styles.office}>
              <strong>{name}</strong>
              <span>{address}</span>
              <span>
                <abbr>{t.tel}</abbr> {phone}
              </span>
              <span>
                <abbr>{t.fax}</abbr> {fax}
              </span>
            </li>
          ))}
        </ul>
        <p className={styles.copyright}>{t.copyright(company || t.productName, YEAR)}</p>
      </div>
    </footer>
  )
}
