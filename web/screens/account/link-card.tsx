import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { type LINK, readLink } from '../../../contract/account.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { line } from '../../../contract/fields.ts'
import { recordQuery } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { LoadFailed } from '../../forms/load-failed.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { AccountCard, AccountLinks } from './account-card.tsx'
import cardStyles from './account-card.module.css'
import { useLinkToken } from './use-link-token.ts'

interface Props {
  heading: string
  kind: (typeof LINK)[keyof typeof LINK]
  /** Returns the introduction to the link. */
  lead: (link: OutputOf<typeof readLink>) => string
  /** Renders the action of the link. */
  children: (token: string, link: OutputOf<typeof readLink>) => ReactNode
}

/** The card of a page for an email link. Reads the purpose of the link first (rules/account#mailed-links). */
export function LinkCard({ heading, kind, lead, children }: Props) {
  const t = usePortalMessages().account
  const { token, enter } = useLinkToken()
  const read = useQuery({ ...recordQuery(readLink, { token }), enabled: token !== '' })
  const link = read.data?.kind === kind ? read.data : undefined
  // A link for another purpose counts as unknown on this page.
  const refusal = read.error?.msg ?? (read.data !== undefined && link === undefined ? t.linkUnknown : '')
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
      {(token === '' || refusal !== '') && !isAway && <CodeForm onEntered={enter} />}
      <AccountLinks links={[{ href: '/login', text: t.backToLogin }]} />
    </AccountCard>
  )
}

const typedCode = z.strictObject({ token: line(100) })

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
