/** */
export function ChangePassword() {
  return null
}
