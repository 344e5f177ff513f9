import { useEffect, useRef, useState } from 'react'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { UploadIcon } from '../../ui/icons.tsx'
import { LoadingOverlay } from '../../ui/loading-overlay.tsx'
import { AffiliationHelp, PartnerHelp } from '../affiliations/help.tsx'
import { ImportErrors } from './import-errors.tsx'
import { ImportPreview } from './import-preview.tsx'
import { TemplateButton } from './import-template-button.tsx'
import { ManagerPassword } from './manager-password.tsx'
import { ModeChoice, UpdateLead } from './update-lead.tsx'
import { UpdatePreview } from './update-preview.tsx'
import { type CheckedFile, useImport, useImportTexts } from './use-import.ts'
import layout from '../../ui/layout.module.css'
import styles from './user-import.module.css'

/**
 * /user/import (rules/users#import, rules/users#update): a file of users is checked, and everybody in it is registered, or
 * updated, when no row of it is wrong.
 */
export default function UserImport() {
  const { titles, users } = usePortalMessages()
  const work = useImport()
  const { mode, checked, isStale } = work
  const t = useImportTexts(mode)
  const [isAsking, setAsking] = useState(false)
  // Kept while the same file is tried again.
  const [password, setPassword] = useState('')
  const isUpdate = mode === 'update'

  return (
    <Page title={titles.userImport}>
      <Card
        title={isUpdate ? users.importUpdate.modes.update : titles.userImport}
        actions={!isUpdate && <TemplateButton />}
      >
        <div className={styles.body}>
          <ModeChoice mode={mode} onChange={(as) => void work.choose(as)} />
          {isUpdate ? <UpdateLead /> : <p>{`${t.lead} ${t.passwordNote}`}</p>}
          <FilePlace
            fileName={checked?.source.name}
            prompt={t.drop}
            isBusy={work.isReading}
            onFile={(file) => {
              setPassword('')
              void work.open(file)
            }}
          />
          {isStale && <Stale />}
          {checked !== null && <Verdict checked={checked} onAgain={() => void work.again()} />}
          {checked !== null && countOf(checked) > 0 && (
            <div className={styles.actions}>
              <Button variant="primary" isPending={work.isImporting} onClick={() => setAsking(true)}>
                {t.submit(countOf(checked).toLocaleString())}
              </Button>
            </div>
          )}
        </div>
      </Card>
      {isAsking && (
        <ManagerPassword
          text={t.managerText}
          initial={password}
          onConfirm={async (typed) => {
            setPassword(typed)
            await work.write(typed)
            setPassword('')
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

/** A colleague was quicker: the keyboard focus, and with it the page, goes where that and the new preview begin. */
function Stale() {
  const t = usePortalMessages().users.importUpdate
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <p ref={place} tabIndex={-1} role="alert" className={layout.warning}>
      {t.stale}
    </p>
  )
}

/** How many are registered or updated by a file; none while something in it is wrong. */
function countOf(checked: CheckedFile): number {
  if (checked.result.errorCount > 0) return 0
  return checked.mode === 'register' ? checked.rows.length : checked.result.userCount
}

/** Where a file is dropped or chosen. */
function FilePlace(props: {
  fileName: string | undefined
  /** What it says while there is none. */
  prompt: string
  isBusy: boolean
  onFile: (file: File) => void
}) {
  const { fileName, prompt, isBusy, onFile } = props
  const t = usePortalMessages().users.import
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    // Dropping is a shortcut of the button inside, which works by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classes(styles.place, isOver && styles.over)}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined && !isBusy) onFile(file)
      }}
    >
      <p>{fileName ?? prompt}</p>
      <Button isPending={isBusy} onClick={() => input.current?.click()}>
        <UploadIcon size={18} />
        {fileName === undefined ? t.choose : t.chooseAnother}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t.choose}
        accept=".csv,.xlsx,text/csv"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // The same file, corrected, is a change too.
          event.target.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
      <output className="visually-hidden">{isBusy && t.reading}</output>
    </div>
  )
}

/** What the dry run says of the file. */
function Verdict({ checked, onAgain }: { checked: CheckedFile; onAgain: () => void }) {
  const { affiliations } = usePortalMessages()
  const t = useImportTexts(checked.mode)
  const { rows, examples, unknown, result } = checked
  const count = rows.length.toLocaleString()
  const isGood = result.errorCount === 0
  const lacksPlace = result.errors.some(({ field }) => field === 'affiliationCode' || field === 'partnerCode')
  return (
    <>
      <output className={isGood ? styles.good : styles.wrong}>
        {isGood ? t.ready(count) : t.wrong(result.errorCount.toLocaleString(), count)}
      </output>
      {examples > 0 && <p className={layout.quiet}>{t.examplesLeft(examples)}</p>}
      {unknown.length > 0 && <p className={layout.quiet}>{t.unknownColumns(unknown.join(', '))}</p>}
      {lacksPlace && (
        <div className={layout.stack}>
          <p className={layout.quiet}>{affiliations.help.missingInFile}</p>
          <AffiliationHelp onMade={onAgain} />
          <span className={layout.row}>
            <PartnerHelp affiliation="" onMade={onAgain} />
            <Button size="small" onClick={onAgain}>
              {affiliations.help.again}
            </Button>
          </span>
        </div>
      )}
      {!isGood ? (
        <ImportErrors checked={checked} />
      ) : checked.mode === 'register' ? (
        <ImportPreview result={checked.result} />
      ) : (
        <UpdatePreview result={checked.result} />
      )}
    </>
  )
}
