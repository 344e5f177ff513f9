import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { type LINK, readLink } from '../../../contract/account.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { line } from '../../../contract/fields.ts'
import { recordQuery } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { LoadFailed } from '../../forms/load-error.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { AccountCard, AccountLinks } from './account-card.tsx'
import cardStyles from './account-card.module.css'
import { useLocation } from '@tanstack/react-router'

/** Texts and kind of the page. */
interface Props {
  heading: string
  kind: (typeof LINK)[keyof typeof LINK]
  /** Returns the introduction to the link. */
  lead: (link: OutputOf<typeof readLink>) => string
  /** Renders the action of the link. */
  children: (token: string, link: OutputOf<typeof readLink>) => ReactNode
}

/**
 * Shows the card of a page for an email link, after it has read the link (rules/account#mailed-links). Without a valid
 * link of this `kind` it shows the refusal, and without a link it asks for the code in the email.
 */
export function LinkCard({ heading, kind, lead, children }: Props) {
  const t = usePortalMessages().account
  const { token, isLink, enter } = useLinkToken()
  const read = useQuery({ ...recordQuery(readLink, { token }), enabled: token !== '' })
  const link = read.data?.kind === kind ? read.data : undefined
  // A link for another purpose counts as unknown on this page.
  const refusal = read.error?.message ?? (read.data !== undefined && link === undefined ? t.linkUnknown : '')
  const isAway = read.error?.isUnavailable === true
  return (
    <AccountCard heading={heading} lead={link === undefined ? '' : lead(link)}>
      {link !== undefined && children(token, link)}
      {read.isLoading && <output>{t.linkReading}</output>}
      {isAway && <LoadFailed query={read} message={t.linkFailed} />}
      {refusal !== '' && !isAway && (
        <p role="alert" className={cardStyles.refusal}>
          {refusal}
        </p>
      )}
      {!isLink && (token === '' || refusal !== '') && !isAway && <CodeForm onEntered={enter} />}
      <AccountLinks links={[{ href: '/login', text: t.backToLogin }]} />
    </AccountCard>
  )
}

/** Schema of the typed code. */
const typedCode = z.strictObject({ token: line(100) })

/** Asks for the code in the email, which is the token of the link. */
function CodeForm({ onEntered }: { onEntered: (code: string) => void }) {
  const t = usePortalMessages().account
  const form = useSchemaForm(typedCode, { token: '' }, 'onSubmit')
  return (
    <Form form={form} draft={null} onSubmit={({ token }) => onEntered(token)}>
      <BoundText name="token" label={t.linkCode} description={t.linkCodeHint} autoComplete="off" isRequired />
      <Button type="submit" variant="primary" isWide className={cardStyles.submit}>
        {t.linkContinue}
      </Button>
    </Form>
  )
}

/**
 * Returns the token of an email link from the URL fragment, which no server or log receives; '' if there is none. `enter`
 * replaces it by a code that the user types, until another link opens. `isLink` is true if the token is that of a link.
 */
function useLinkToken(): { token: string; isLink: boolean; enter: (code: string) => void } {
  const hash = useLocation({ select: (location) => location.hash })
  const [typed, setTyped] = useState({ code: '', hash })
  // A link that is opened in this tab later wins over what was typed.
  const isTyped = typed.code !== '' && typed.hash === hash
  const token = isTyped ? typed.code : hash
  return { token, isLink: !isTyped && hash !== '', enter: (code) => setTyped({ code, hash }) }
}
