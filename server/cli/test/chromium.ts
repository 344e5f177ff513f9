import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installPackages } from './packages.ts'

/** The Chromium (or Chrome) of this machine: CHROMIUM_PATH, else the usual names in PATH and the usual places. */
export function findChromium(): string | undefined {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined && given !== '') return existsSync(given) ? given : undefined
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
  const inPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
  const elsewhere = [
    '/usr/bin/chromium',
    '/snap/bin/chromium',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    join(process.env['PROGRAMFILES'] ?? 'C:\\Program Files', 'Google\\Chrome\\Application\\chrome.exe'),
  ]
  return [...inPath, ...elsewhere].find((file) => existsSync(file))
}

/**
 * Makes sure that there are a Chromium and a Korean font for the browser tests, from the system's package manager
 * where they are missing (decisions §3). Gives undefined, or one line that says what to install by hand.
 */
export function ensureBrowser(): string | undefined {
  const missing = [
    ...(findChromium() === undefined ? ['chromium'] : []),
    ...(hasKoreanFont() ? [] : ['font']),
  ]
  if (missing.length === 0) return undefined
  // fontconfig brings fc-list, which is how a font is found here.
  const named = (font: string): string[] =>
    missing.flatMap((thing) => (thing === 'font' ? ['fontconfig', font] : [thing]))
  const failure = installPackages({
    'apt-get': named('fonts-noto-cjk'),
    dnf: named('google-noto-sans-cjk-fonts'),
    apk: named('font-noto-cjk'),
    brew: named('font-noto-sans-cjk'),
  })
  if (findChromium() !== undefined && hasKoreanFont()) return undefined
  const path = process.env['CHROMIUM_PATH']
  if (path !== undefined && path !== '' && !existsSync(path))
    return `CHROMIUM_PATH names ${path}, which is not there: correct it, or unset it.`
  return `The browser tests need Chromium and a Korean font (${failure ?? 'installed, but still not found'}). On Debian: apt-get install chromium fontconfig fonts-noto-cjk. A Chromium elsewhere: set CHROMIUM_PATH.`
}

// Windows and macOS have one of their own.
function hasKoreanFont(): boolean {
  if (process.platform !== 'linux') return true
  const listing = spawnSync('fc-list', [':lang=ko', 'family'], { encoding: 'utf8' })
  return listing.status === 0 && listing.stdout.trim() !== ''
}
