/** An e-mail address in a table: where it takes two lines, the second begins with its domain. */
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
