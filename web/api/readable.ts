/** Returns whether the browser can read a file: it is no folder, and was not deleted or changed since the user chose it. */
export async function isReadable(file: Blob): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}
