/** Gives what lies in the page's memory to the person as a file. */
export function saveContent(content: Blob, name: string): void {
  const href = URL.createObjectURL(content)
  followDownload(href, name)
  // The browser has taken its own hold of it by then.
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}

/** Has the browser download an address under a name. */
export function followDownload(href: string, name: string): void {
  Object.assign(document.createElement('a'), { href, download: name }).click()
}
