/** Shows an email address that may break into two lines, only after its @. */
export function EmailAddress({ email }: { email: string }) {
  const domainAt = email.lastIndexOf('@') + 1
  return (
    <span title={email}>
      {email.slice(0, domainAt)}
      <wbr />
      {email.slice(domainAt)}
    </span>
  )
}
