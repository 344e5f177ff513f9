/** Resolves at the next frame that the browser draws. */
const nextFrame = () => new Promise(requestAnimationFrame)

/** Waits until a dialog that was closed has returned the keyboard focus, a frame after it closed. */
export async function focusReturned(): Promise<void> {
  await nextFrame()
  await nextFrame()
}
