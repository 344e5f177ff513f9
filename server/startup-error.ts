/** Error that stops a start or a command and that the operator can fix. Its message is the line to print. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal'
}
