import { useState } from 'react'
import { FilePlace } from '../../imports/file-place.tsx'
import { ImportErrors } from '../../imports/import-errors.tsx'
import { Verdict } from '../../imports/verdict.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { LoadingOverlay } from '../../ui/loading-overlay.tsx'
import { FileHelp } from '../affiliations/help.tsx'
import { importHeadings } from './import-columns.ts'
import { ImportPreview } from './import-preview.tsx'
import { UserTemplateButton } from './import-template-button.tsx'
import { ManagerPassword } from './manager-password.tsx'
import { type CheckedFile, useImport } from './use-import.ts'
import styles from '../../imports/imports.module.css'

/** /user/import (rules/users#import): a file of new users is checked, and registered when no row of it is wrong. */
export default function UserImport() {
  const { titles, users } = usePortalMessages()
  const t = users.import
  const work = useImport()
  const [isAsking, setAsking] = useState(false)
  const { checked } = work

  return (
    <Page title={titles.userImport}>
      <Card title={titles.userImport} actions={<UserTemplateButton />}>
        <div className={styles.body}>
          <p>
            {t.lead} {t.passwordNote}
          </p>
          <FilePlace
            words={t}
            fileName={checked?.name}
            isBusy={work.isReading}
            onFile={(file) => void work.open(file)}
          />
          {checked !== null && <Result checked={checked} onAgain={() => void work.again()} />}
          {checked !== null && checked.result.errorCount === 0 && (
            <div className={styles.actions}>
              <Button variant="primary" isPending={work.isImporting} onClick={() => setAsking(true)}>
                {t.submit(checked.rows.length.toLocaleString())}
              </Button>
            </div>
          )}
        </div>
      </Card>
      {isAsking && (
        <ManagerPassword
          onConfirm={async (password) => {
            await work.register(password)
            setAsking(false)
          }}
          onRefused={(error) => {
            setAsking(false)
            void work.refused(error)
          }}
          onClose={() => setAsking(false)}
        />
      )}
      {work.isImporting && <LoadingOverlay label={t.importing} />}
    </Page>
  )
}

/** What the dry run says of the file. */
function Result({ checked, onAgain }: { checked: CheckedFile; onAgain: () => void }) {
  const { users } = usePortalMessages()
  const t = users.import
  const { rows, result } = checked
  const lacksPlace = result.errors.some(({ field }) => field === 'affiliationCode' || field === 'partnerCode')
  return (
    <>
      <Verdict words={t} checked={checked} />
      {lacksPlace && <FileHelp lacks="affiliationOrPartner" onAgain={onAgain} />}
      {result.errorCount === 0 ? (
        <ImportPreview checked={checked} />
      ) : (
        <ImportErrors words={t} headings={importHeadings(users)} rows={rows} {...result} />
      )}
    </>
  )
}
