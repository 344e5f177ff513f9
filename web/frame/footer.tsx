import { usePortalConfig } from '../api/config.ts'
import { useMessages } from '../language.tsx'
import styles from './footer.module.css'

const YEAR = new Date().getFullYear()

/** Company, head office and branches with address, telephone and fax (rules/frame#footer), from the deployment. */
export function Footer() {
  const t = useMessages().frame
  const { company, offices } = usePortalConfig()
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        {/* A list without an entry is none. */}
        <ul className={styles.offices} aria-label={t.offices} hidden={offices.length === 0}>
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
        <p className={styles.copyright}>{t.copyright(company || t.productName, YEAR)}</p>
      </div>
    </footer>
  )
}
