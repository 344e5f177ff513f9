import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (file: string) => [file, readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\//gs, '')] as const
const styles = globSync('web/**/*.css').map(read)
const code = globSync('web/**/*.tsx').map(read)

/** Returns the distinct matches of the expression's group. */
function all(text: string, expression: RegExp): string[] {
  return [...new Set(Array.from(text.matchAll(expression), ([, found]) => found ?? ''))].toSorted()
}

test('colours and pixels appear only in tokens.css', () => {
  // A query cannot take a token, and a line of 1 px has no other width to be.
  const value =
    /^(?!@(?:media|container))(.*(?:#[\da-f]{3,8}\b.*;|\b(?:rgb|hsl|light-dark)\(|(?<!\b1)px\b).*)$/gim
  for (const [file, text] of styles)
    if (!file.endsWith('tokens.css')) expect(all(text, value), file).toEqual([])
})

test('uses the five sizes of the scale for text (rules/frame#look)', () => {
  const text = styles.map(([, css]) => css).join('\n')
  expect(all(text, /--font-\d+: (\d+)px/g)).toEqual(['12', '14', '16', '20', '28'])
  const others = all(text, /font-size: ((?!var\(--(?:label-)?font).*);/g)
  expect(others).toEqual([])
})

/** Returns the relative luminance of a color `#rrggbb` or `#rgb` (WCAG 2.2). */
function luminanceOf(color: string): number {
  const digits = color.slice(1)
  const pairs = digits.length === 3 ? Array.from(digits, (digit) => digit + digit) : digits.match(/../g)
  const [red = 0, green = 0, blue = 0] = (pairs ?? []).map((pair) => {
    const share = Number.parseInt(pair, 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(color: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(color), luminanceOf(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

test.each(['light', 'dark'])(
  'sets charts and progress bars off their background: %s (rules/frame#look)',
  (theme) => {
    const [, tokens] = read('web/ui/tokens.css')
    const colorOf = (token: string) => {
      const [, light = '', dark = light] =
        new RegExp(`--${token}: (?:light-dark\\()?(#[\\da-f]+)(?:, (#[\\da-f]+)\\))?;`).exec(tokens) ?? []
      return theme === 'light' ? light : dark
    }
    for (const fill of ['data', 'warning', 'danger-text'])
      for (const ground of ['surface', 'raised', 'line'])
        expect(contrastOf(colorOf(fill), colorOf(ground)), `${fill} on ${ground}`).toBeGreaterThanOrEqual(3)
    // The border shows how long the whole bar is.
    for (const ground of ['surface', 'raised'])
      expect(contrastOf(colorOf('line-strong'), colorOf(ground)), ground).toBeGreaterThanOrEqual(3)
  },
)

test('defines every token that is used, and uses every defined one', () => {
  const text = [...styles, ...code].join('\n')
  // React-aria gives a popover the width of what opened it, and an entry of a tree its level.
  expect(all(text, /var\((--(?!trigger-width|tree-item-level)[\w-]+)/g)).toEqual(all(text, /(--[\w-]+)'?:/g))
})

test.each(styles.filter(([file]) => file.endsWith('.module.css')))(
  '%s has exactly the classes that components use',
  (sheet, text) => {
    const given = all(text.replaceAll(/:global\(.*?\)/g, ''), /\.([a-z]\w*)(?![^{}]*\})/gi)
    const named = code.flatMap(([file, source]) =>
      Array.from(source.matchAll(/import (\w+) from '(.*\.module\.css)'/g))
        .filter(([, , path]) => join(file, '..', path ?? '') === sheet)
        // A variant is chosen by its name, as in styles[tone].
        .flatMap(([, name]) =>
          source.includes(`${name}[`) ? given : all(source, new RegExp(`\\b${name}\\.(?!module)(\\w+)`, 'g')),
        ),
    )
    expect(all(named.join(' '), /(\w+)/g)).toEqual(given)
  },
)
