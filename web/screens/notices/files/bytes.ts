/** Units in ascending order, each 1024 times the previous one. */
const UNITS = ['B', 'KB', 'MB', 'GB'] as const

/**
 * Formats a number of bytes, for example as '512B', '1.5MB' or '1,000MB': at most one decimal, none from 100 on. 1
 * MB is 1024 × 1024 bytes (rules/files#file-size); GB begin above 1000 MB.
 */
export function bytesAsText(bytes: number): string {
  // The limit is called 1000 MB, so GB begin where it ends.
  const power = bytes < 1024 ? 0 : bytes < 1024 ** 2 ? 1 : bytes <= 1000 * 1024 ** 2 ? 2 : 3
  const amount = bytes / 1024 ** power
  const digits = power === 0 || amount >= 100 ? 0 : 1
  return `${amount.toLocaleString('en-US', { maximumFractionDigits: digits })}${UNITS[power]}`
}
