import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { installPackages } from './packages.ts'

/** Debian's Chromium without its window. It takes two thirds of the time of the whole one. */
const WITHOUT_WINDOW = 'chromium-headless-shell'

/** Returns the path of Chromium or Chrome: CHROMIUM_PATH if set, otherwise from PATH or the usual places; undefined if there is none. */
export function findChromium(): string | undefined {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined && given !== '') return existsSync(given) ? given : undefined
  const names = [
    WITHOUT_WINDOW,
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'chrome',
  ]
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const inPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
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
 * Installs Chromium and a Korean font for the browser tests with the package manager of the system if they are missing.
 * @returns undefined if both exist, or one line that states what to install by hand
 */
export function ensureBrowser(): string | undefined {
  const path = process.env['CHROMIUM_PATH'] ?? ''
  if (path !== '' && !existsSync(path))
    return `CHROMIUM_PATH names ${path}, which is not there: correct it, or unset it.`
  let failure = hasKoreanFont() ? undefined : installFont()
  // Root, as in a container, and CI get the fast one beside another. Older systems do not have it.
  const wantsFast = process.env['CI'] !== undefined || process.getuid?.() === 0
  const isFast = path !== '' || basename(findChromium() ?? '') === WITHOUT_WINDOW
  if (findChromium() === undefined || (wantsFast && !isFast)) installPackages({ 'apt-get': [WITHOUT_WINDOW] })
  if (findChromium() === undefined) failure = installChromium()
  if (findChromium() !== undefined && hasKoreanFont()) return undefined
  return `The browser tests need Chromium and a Korean font (${failure ?? 'installed, but still not found'}). On Debian: apt-get install chromium fontconfig fonts-noto-cjk. A Chromium elsewhere: set CHROMIUM_PATH.`
}

/** Installs Chromium; returns the reason of a failure, otherwise undefined. */
function installChromium(): string | undefined {
  const names = ['chromium']
  return installPackages({ 'apt-get': names, dnf: names, apk: names, brew: names })
}

/** Installs a Korean font, and fontconfig, whose fc-list finds it; returns the reason of a failure, otherwise undefined. */
function installFont(): string | undefined {
  return installPackages({
    'apt-get': ['fontconfig', 'fonts-noto-cjk'],
    dnf: ['fontconfig', 'google-noto-sans-cjk-fonts'],
    apk: ['fontconfig', 'font-noto-cjk'],
    brew: ['fontconfig', 'font-noto-sans-cjk'],
  })
}

/** Returns whether the system has a Korean font; always true on Windows and macOS. */
function hasKoreanFont(): boolean {
  if (process.platform !== 'linux') return true
  const listing = spawnSync('fc-list', [':lang=ko', 'family'], { encoding: 'utf8' })
  return listing.status === 0 && listing.stdout.trim() !== ''
}
