/** The options with which page and server render Markdown: no HTML, and line breaks are kept. */
export const MARKDOWN = { html: false, breaks: true } as const
