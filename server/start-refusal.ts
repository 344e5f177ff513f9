/** Something that stops the start and that the operator can mend; its message is the one line to print. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal'
}
