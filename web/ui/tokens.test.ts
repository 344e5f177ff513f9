import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (file: string) => [file, readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\//gs, '')] as const
const styles = globSync('web/**/*.css').map(read)
const code = globSync('web/**/*.tsx').map(read)

/** What the expression's group holds, wherever it matches; each once. */
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

test('text has the five sizes of the scale (rules/frame#look)', () => {
  const text = styles.map(([, css]) => css).join('\n')
  expect(all(text, /--font-\d+: (\d+)px/g)).toEqual(['12', '14', '16', '20', '28'])
  const others = all(text, /font-size: ((?!var\(--(?:label-)?font).*);/g)
  expect(others).toEqual([])
})

test('every token that is used is defined, and every defined one is used', () => {
  const text = [...styles, ...code].join('\n')
  // React-aria gives a popover the width of what opened it.
  expect(all(text, /var\((--(?!trigger-width)[\w-]+)/g)).toEqual(all(text, /(--[\w-]+)'?:/g))
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
