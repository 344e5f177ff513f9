import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ImportColumn } from '../../../../contract/users/import.ts'
import { framedPages } from '../../../../contract/pages.ts'
import { showForbidden } from '../../../api/error-handling.ts'
import { usePermissionLookup } from '../../../layout/use-permission.ts'
import { FilePlace, Verdict, type ImportWords } from '../../../imports/import-parts.tsx'
import { useColumnQuestion } from '../../../imports/column-dialog.tsx'
import { ImportErrors } from '../../../imports/import-errors.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { hasCachedFunction } from '../../../session.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Page } from '../../../ui/card.tsx'
import { LoadingOverlay } from '../../../ui/loading-overlay.tsx'
import { FileHelp } from '../../affiliations/help.tsx'
import { UserColumns } from './user-columns.tsx'
import { ImportPreview, UpdatePreview } from './import-previews.tsx'
import { UserTemplateButton } from './import-template-button.tsx'
import { useImportHeadings, useUpdateTexts, useUserImportTexts } from './import-texts.ts'
import { MailMissing } from '../account/mail-missing.tsx'
import { ManagerPassword } from '../account/manager-password.tsx'
import { forgetSearch } from '../search/search-memory.ts'
import { type ImportMode, ModeChoice, UpdateLead } from './update-lead.tsx'
import { type CheckedFile, type CheckedUpdate, useImport, useUpdate } from './use-import.ts'
import styles from '../../../imports/imports.module.css'
import layout from '../../../ui/layout.module.css'

/** Permissions of the page: to register users, or to update them. */
const { permission, orPermission } = framedPages['/user/import']
/** The permissions of which one opens the page. */
const OPENED_BY = [permission, orPermission]

/**
 * Shows the page /user/import (rules/users#import, rules/users#update). Checks a selected file of users, and after the
 * manager's password registers or updates all of them, or none if a row is wrong. The URL decides which of the two; a
 * user with one of the two permissions gets that one. Another mode checks the same file again. Without both permissions
 * it shows the forbidden page.
 */
export default function UserImport() {
  const { titles, users } = usePortalMessages()
  const ofImport = useUserImportTexts()
  const ofUpdate = useUpdateTexts()
  const { asked: question, ask } = useColumnQuestion<ImportColumn>()
  const works = { register: useImport(ask), update: useUpdate(ask) }
  const may = usePermissionLookup()
  const navigate = useNavigate()
  const { mode: asked } = useSearch({ from: '/framed/user/import' })
  // A user who has only one of the two permissions gets that mode.
  const mode =
    may('autho_user_insert') === false || (asked === 'update' && may('autho_user_manage') !== false)
      ? 'update'
      : 'register'
  // The header already requests the permissions, so the page does not. Until they are known, the page requests nothing else.
  const answers = OPENED_BY.map((name) => may(name))
  const isShown = OPENED_BY.some((name, index) => answers[index] ?? hasCachedFunction(name))
  const isDenied = answers.every((answer) => answer === false)
  useEffect(() => {
    if (isDenied) showForbidden()
  }, [isDenied])
  const [done, setDone] = useState<string>()
  const [source, setSource] = useState<File>()
  const [isAsking, setAsking] = useState(false)
  const [kept, setKept] = useState<CheckedFile['rows']>()
  // Kept for another attempt with the same file.
  const [password, setPassword] = useState('')
  const isUpdate = mode === 'update'
  const work = works[mode]
  const t = isUpdate ? ofUpdate : ofImport
  const registered = isUpdate ? null : works.register.checked
  const updated = isUpdate ? works.update.checked : null
  const count = registered?.rows.length ?? updated?.result.userCount ?? 0

  function choose(as: ImportMode): void {
    if (work.isReading) return
    // The mode is part of the URL: it determines the page title and survives a reload.
    void navigate({ to: '/user/import', search: { mode: as }, replace: true })
    // Check the selected file again in the other mode.
    if (source !== undefined) void works[as].open(source)
  }

  /** Keeps only the rows without errors, and checks them again. */
  async function keep(rows: CheckedFile['rows']): Promise<void> {
    setKept(rows)
    await work.keep(rows)
  }

  async function write(typed: string): Promise<void> {
    setPassword(typed)
    await work.write(typed)
    // Close the dialog first: the link to the users takes the focus.
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
            <Result words={t} checked={registered} onAgain={() => void work.again()} onKeep={keep}>
              <ImportPreview checked={registered} />
            </Result>
          )}
          {updated !== null && (
            <Result words={t} checked={updated} onAgain={() => void work.again()} onKeep={keep}>
              <UpdatePreview result={updated.result} />
            </Result>
          )}
          {work.checked?.result.errorCount === 0 && count > 0 && (
            <div className={styles.actions}>
              <Submit
                text={t.submit(count.toLocaleString())}
                takesFocus={work.checked.rows === kept}
                isPending={work.isWriting}
                onClick={() => setAsking(true)}
              />
            </div>
          )}
        </div>
      </Card>
      {question !== null && <UserColumns asked={question} words={t} />}
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

interface SubmitProps {
  text: string
  /** True for kept rows: the button that kept them no longer exists. */
  takesFocus: boolean
  isPending: boolean
  onClick: () => void
}

/** Shows the button that opens the question for the manager's password, which saves the rows of the file. */
function Submit({ text, takesFocus, isPending, onClick }: SubmitProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  return (
    <Button ref={button} variant="primary" isPending={isPending} onClick={onClick}>
      {text}
    </Button>
  )
}

/** Shows the result and a link to the user list, which takes the focus. */
function Done({ text }: { text: string }) {
  const t = useUserImportTexts()
  const link = useRef<HTMLAnchorElement>(null)
  // The button that had the focus no longer exists.
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

/**
 * Reports that another user changed a record since the preview, and takes the focus, so that the page scrolls to the
 * new preview.
 */
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

/** Props of `Result`. `onAgain` repeats the check; `onKeep` keeps the rows without errors. */
interface ResultProps {
  words: ImportWords
  checked: CheckedFile | CheckedUpdate
  onAgain: () => void
  onKeep: (rows: CheckedFile['rows']) => Promise<void>
  /** The preview of a file without wrong cells. */
  children: ReactNode
}

/**
 * Shows the result of the check: the errors, whose rows the user can leave out, or else the preview. Offers help if an
 * affiliation or partner is wrong.
 */
function Result({ words, checked, onAgain, onKeep, children }: ResultProps) {
  const headings = useImportHeadings()
  const { rows, result } = checked
  const lacksPlace = result.errors.some(({ field }) => field === 'affiliationCode' || field === 'partnerCode')
  return (
    <>
      <Verdict words={words} checked={checked} />
      {lacksPlace && <FileHelp lacks="affiliationOrPartner" onAgain={onAgain} />}
      {result.errorCount === 0 ? (
        children
      ) : (
        <ImportErrors words={words} headings={headings} rows={rows} {...result} onKeep={onKeep} />
      )}
    </>
  )
}
