/** Saves content from the page's memory as a file. */
export function saveContent(content: Blob, name: string): void {
  const href = URL.createObjectURL(content)
  followDownload(href, name)
  // The browser holds its own reference by then.
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}

/** Has the browser download an address under a name. */
export function followDownload(href: string, name: string): void {
  Object.assign(document.createElement('a'), { href, download: name }).click()
}
