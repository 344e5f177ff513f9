import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { framedPages } from '../../../../contract/pages.ts'
import { showForbidden } from '../../../api/error-handling.ts'
import { usePermissionLookup } from '../../../frame/use-permission.ts'
import { FilePlace } from '../../../imports/file-place.tsx'
import { ImportErrors } from '../../../imports/import-errors.tsx'
import { Verdict } from '../../../imports/verdict.tsx'
import type { ImportWords } from '../../../imports/words.ts'
import { usePortalMessages } from '../../../language.tsx'
import { hasCachedFunction } from '../../../session.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Page } from '../../../ui/card.tsx'
import { LoadingOverlay } from '../../../ui/loading-overlay.tsx'
import { FileHelp } from '../../affiliations/file-help.tsx'
import { importHeadings } from './import-columns.ts'
import { ImportPreview } from './import-preview.tsx'
import { UserTemplateButton } from './import-template-button.tsx'
import { useUserImportTexts } from './import-texts.ts'
import { MailMissing } from '../account/mail-missing.tsx'
import { ManagerPassword } from '../account/manager-password.tsx'
import { forgetSearch } from '../search/search-memory.ts'
import { type ImportMode, ModeChoice, UpdateLead } from './update-lead.tsx'
import { UpdatePreview } from './update-preview.tsx'
import { useUpdateTexts } from './update-texts.ts'
import { type CheckedFile, type CheckedUpdate, useImport, useUpdate } from './use-import.ts'
import styles from '../../../imports/imports.module.css'
import layout from '../../../ui/layout.module.css'

const { permission, orPermission } = framedPages['/user/import']
const OPENED_BY = [permission, orPermission]

/**
 * /user/import (rules/users#import, rules/users#update): a file of users is checked, and everybody in it is registered, or
 * updated, when no row of it is wrong.
 */
export default function UserImport() {
  const { titles, users } = usePortalMessages()
  const ofImport = useUserImportTexts()
  const ofUpdate = useUpdateTexts()
  const works = { register: useImport(), update: useUpdate() }
  const may = usePermissionLookup()
  const navigate = useNavigate()
  const { mode: asked } = useSearch({ from: '/framed/user/import' })
  // Whoever may do one of the two alone does that.
  const mode =
    may('autho_user_insert') === false || (asked === 'update' && may('autho_user_manage') !== false)
      ? 'update'
      : 'register'
  // The header asks; asking again would be one request more. Until it knows, nothing behind the page is asked for.
  const answers = OPENED_BY.map((name) => may(name))
  const isShown = OPENED_BY.some((name, index) => answers[index] ?? hasCachedFunction(name))
  const isDenied = answers.every((answer) => answer === false)
  useEffect(() => {
    if (isDenied) showForbidden()
  }, [isDenied])
  const [done, setDone] = useState<string>()
  const [source, setSource] = useState<File>()
  const [isAsking, setAsking] = useState(false)
  // Kept while the same file is tried again.
  const [password, setPassword] = useState('')
  const isUpdate = mode === 'update'
  const work = works[mode]
  const t = isUpdate ? ofUpdate : ofImport
  const registered = isUpdate ? null : works.register.checked
  const updated = isUpdate ? works.update.checked : null
  const count = registered?.rows.length ?? updated?.result.userCount ?? 0

  function choose(as: ImportMode): void {
    if (work.isReading) return
    // In the address: it titles the page, and stays when the page is loaded again.
    void navigate({ to: '/user/import', search: { mode: as }, replace: true })
    // The file that is there is looked at as one of the other kind.
    if (source !== undefined) void works[as].open(source)
  }

  async function write(typed: string): Promise<void> {
    setPassword(typed)
    await work.write(typed)
    // Closed first: the way to the users takes the focus.
    flushSync(() => setAsking(false))
    setDone(t.done(count.toLocaleString()))
    setPassword('')
    setSource(undefined)
    works.register.clear()
    works.update.clear()
  }

  if (!isShown) return <Page title={titles.userImport}>{null}</Page>
  return (
    <Page title={isUpdate ? titles.userUpdate : titles.userImport}>
      <Card title={ofUpdate.modes[mode]} actions={!isUpdate && <UserTemplateButton />}>
        <div className={styles.body}>
          <ModeChoice mode={mode} onChange={choose} />
          {isUpdate ? <UpdateLead /> : <p>{`${ofImport.lead} ${ofImport.passwordNote}`}</p>}
          {!isUpdate && <MailMissing />}
          <FilePlace
            words={t}
            fileName={work.checked?.name}
            isBusy={work.isReading}
            onFile={(file) => {
              setSource(file)
              setPassword('')
              setDone(undefined)
              void work.open(file)
            }}
          />
          {done !== undefined && <Done text={done} />}
          {work.isStale && <Stale />}
          {registered !== null && (
            <Result words={t} checked={registered} onAgain={() => void work.again()}>
              <ImportPreview checked={registered} />
            </Result>
          )}
          {updated !== null && (
            <Result words={t} checked={updated} onAgain={() => void work.again()}>
              <UpdatePreview result={updated.result} />
            </Result>
          )}
          {work.checked?.result.errorCount === 0 && count > 0 && (
            <div className={styles.actions}>
              <Button variant="primary" isPending={work.isWriting} onClick={() => setAsking(true)}>
                {t.submit(count.toLocaleString())}
              </Button>
            </div>
          )}
        </div>
      </Card>
      {isAsking && (
        <ManagerPassword
          text={isUpdate ? ofUpdate.managerText : users.register.managerText}
          initial={password}
          onConfirm={write}
          onRefused={(error) => {
            setAsking(false)
            void work.refused(error)
          }}
          onClose={() => setAsking(false)}
        />
      )}
      {work.isWriting && <LoadingOverlay label={t.importing} />}
    </Page>
  )
}

/** What was done, and the way to those whom it was done for. */
function Done({ text }: { text: string }) {
  const t = useUserImportTexts()
  const link = useRef<HTMLAnchorElement>(null)
  // The button that was pressed has gone.
  useEffect(() => link.current?.focus(), [])
  return (
    <p>
      {text}{' '}
      <Link ref={link} to="/user/search" onClick={forgetSearch}>
        {t.toUsers}
      </Link>
    </p>
  )
}

/** A colleague was quicker: the keyboard focus, and with it the page, goes where that and the new preview begin. */
function Stale() {
  const t = useUpdateTexts()
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <p ref={place} tabIndex={-1} role="alert" className={layout.warning}>
      {t.stale}
    </p>
  )
}

interface ResultProps {
  words: ImportWords
  checked: CheckedFile | CheckedUpdate
  onAgain: () => void
  /** What is shown of a file without a wrong cell. */
  children: ReactNode
}

/** What the dry run says of the file. */
function Result({ words, checked, onAgain, children }: ResultProps) {
  const { users } = usePortalMessages()
  const { rows, result } = checked
  const lacksPlace = result.errors.some(({ field }) => field === 'affiliationCode' || field === 'partnerCode')
  return (
    <>
      <Verdict words={words} checked={checked} />
      {lacksPlace && <FileHelp lacks="affiliationOrPartner" onAgain={onAgain} />}
      {result.errorCount === 0 ? (
        children
      ) : (
        <ImportErrors words={words} headings={importHeadings(users)} rows={rows} {...result} />
      )}
    </>
  )
}
