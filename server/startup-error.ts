/** Something that stops the start and that the operator can fix; its message is the one line to print. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal'
}
