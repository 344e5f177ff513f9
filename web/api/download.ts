/** Has the browser save content that the page holds in memory as a file of this name. */
export function saveContent(content: Blob, name: string): void {
  const href = URL.createObjectURL(content)
  followDownload(href, name)
  // The browser holds its own reference by then.
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}

/** Has the browser download a URL as a file of this name. */
export function followDownload(href: string, name: string): void {
  Object.assign(document.createElement('a'), { href, download: name }).click()
}
