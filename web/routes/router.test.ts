import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pages, type Page } from '../../contract/pages.ts'
import { router } from './router.tsx'

test('routes and listed pages are the same', () => {
  expect(Object.keys(router.routesByPath).toSorted()).toEqual(Object.keys(pages).toSorted())
})

test('uses every file of a screen in a page, with the screen as default export', () => {
  const files = globSync('**/*.page.tsx', { cwd: new URL('../screens/', import.meta.url) })
  const screens = new Set(
    Object.values<Page>(pages).flatMap(({ screen }) => (screen ? [`${screen}.page.tsx`] : [])),
  )
  expect(files.toSorted()).toEqual([...screens].toSorted())
  for (const file of files) {
    const text = readFileSync(new URL(`../screens/${file}`, import.meta.url), 'utf8')
    expect(text, file).toMatch(/^export default function \w+\(/m)
  }
})
