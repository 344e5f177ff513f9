import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { elementsOf, type Look } from './markdown-text.tsx'

const LOOK: Look = {
  level: 2,
  origin: 'https://maru.example',
  newWindow: '새 창',
  table: '표',
  picture: (name, words) => createElement('img', { alt: words, 'data-name': name }),
}
const htmlOf = (text: string) => renderToStaticMarkup(elementsOf(text, LOOK))

const { strings } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../e2e/fixtures/xss-strings.json'), 'utf8'),
) as { strings: string[] }

/** Where Markdown itself takes an address, and what hides its scheme. */
const IN_MARKDOWN = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java&#x09;script:alert(1)',
  'java&Tab;script&colon;alert(1)',
  '&#106;&#97;&#118;&#97;script:alert(1)',
  '&#x1;javascript:alert(1)',
  'javascript&#58;alert(1)',
  'java\\script:alert(1)',
  'javascript://maru.example/%0aalert(1)',
  'vbscript:msgbox(1)',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg/onload=alert(1)>',
  'blob:https://maru.example/1',
  'file:///etc/passwd',
  'tel:112',
  'x" onmouseover="alert(1)',
  'image:javascript:alert(1)',
  'image:abcdefghi1/../x',
  "x' onerror='alert(1)",
].flatMap((address) => [
  `[글](${address})`,
  `[글](<${address}>)`,
  `<${address}>`,
  `![그림](${address})`,
  `[글][a]\n\n[a]: ${address}`,
  `[글][a]\n\n[a]: <${address}> "x\\" onclick=alert(1)"`,
  `| [글](${address}) |\n| --- |`,
])

/** The elements of a text and their attributes, as a browser would read the markup. */
function elementsIn(html: string): { name: string; attributes: string[]; values: Record<string, string> }[] {
  return [...html.matchAll(/<([a-z0-9]+)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/gi)].map(
    ([, name = '', rest = '']) => {
      const pairs = [...rest.matchAll(/([^\s=]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])
      return {
        name,
        attributes: pairs.map(([key = '']) => key),
        values: Object.fromEntries(pairs) as Record<string, string>,
      }
    },
  )
}

const ALLOWED =
  /^(p|br|h[2-6]|ul|ol|li|strong|em|s|code|pre|hr|blockquote|table|thead|tbody|tr|th|td|a|div|span)$/
const ATTRIBUTES = /^(href|target|rel|start|scope|data-align|class|role|aria-label|tabindex)$/

const outside = (href: string) => `href="${href}" target="_blank" rel="noopener noreferrer"`

describe('Markdown of a notice (rules/notices#text-of-a-notice)', () => {
  test.each([
    ['# 제목\n## 둘', '<h2>제목</h2><h3>둘</h3>'],
    ['###### 끝', '<h6>끝</h6>'],
    ['첫 줄\n둘째 줄\n\n셋째', '<p>첫 줄<br/>둘째 줄</p><p>셋째</p>'],
    ['**굵게**는 *기울임*과 ~~취소~~', '<p><strong>굵게</strong>는 <em>기울임</em>과 <s>취소</s></p>'],
    // CommonMark alone ends no bold between a bracket and a particle.
    ['**점검(필독)**을', '<p><strong>점검(필독)</strong>을</p>'],
    ['- 하나\n- 둘\n\n3. 셋', '<ul><li>하나</li><li>둘</li></ul><ol start="3"><li>셋</li></ol>'],
    ['> 인용', '<blockquote><p>인용</p></blockquote>'],
    ['`a<b`\n\n```js\n1 < 2\n```', '<p><code>a&lt;b</code></p><pre><code>1 &lt; 2\n</code></pre>'],
    ['---', '<hr/>'],
  ])('renders %j as %s', (text, html) => {
    expect(htmlOf(text)).toBe(html)
  })

  test('gives a table heads and sides, and scrolls it by keyboard', () => {
    const html = htmlOf('| 항목 | 금액 |\n| --- | ---: |\n| 식대 | 10 |')
    expect(html).toMatch(/^<div class="[^"]+" role="group" aria-label="표" tabindex="0"><table>/)
    expect(html).toContain('<th scope="col">항목</th><th scope="col" data-align="right">금액</th>')
    expect(html).toContain('<td>식대</td><td data-align="right">10</td>')
  })

  test('links lead to the web, to mails and to pages with the menu, and nowhere else', () => {
    expect(htmlOf('[글](https://example.com/a?b=1)')).toContain(outside('https://example.com/a?b=1'))
    expect(htmlOf('[글](//example.com)')).toContain(outside('https://example.com/'))
    expect(htmlOf('[글](mailto:a@example.com)')).toContain(outside('mailto:a@example.com'))
    expect(htmlOf('보라: https://example.com/a.')).toContain(outside('https://example.com/a'))
    expect(htmlOf('<https://example.com>')).toContain(outside('https://example.com/'))
    const page = '<a href="/notice/detail?noticeId=5">글</a>'
    expect(htmlOf('[글](/notice/detail?noticeId=5)')).toBe(`<p>${page}</p>`)
    expect(htmlOf('[글](https://maru.example/notice/detail?noticeId=5)')).toBe(`<p>${page}</p>`)
    for (const address of [
      '/logout',
      '/api/x',
      'https://maru.example/logout',
      '없는/곳',
      'https://bank.kr@example.com',
    ])
      expect(htmlOf(`[글](${address})`), address).toBe('<p>글</p>')
  })

  test('links to a foreign image, so that no reader is counted there', () => {
    const html = htmlOf('![로고](https://example.com/a.png) ![](https://example.com/b.png)')
    expect(html).not.toContain('<img')
    expect(html).toContain('href="https://example.com/a.png"')
    expect(html).toContain('>https://example.com/b.png<')
    expect(htmlOf('[![로고](https://a.kr/b.png)](https://c.kr)').match(/<a /g)).toHaveLength(1)
  })

  test('recognizes its own images by exact name only, with the author’s alt text', () => {
    const shown = '<img alt="3층 배치도 *새*" data-name="abcdefghi1"/>'.replace('*새*', '새')
    expect(htmlOf('![3층 배치도 *새*](image:abcdefghi1)')).toBe(`<p>${shown}</p>`)
    expect(htmlOf('[![가](image:abcdefghi1)](https://a.kr)')).toContain('<a href="https://a.kr/"')
    expect(htmlOf('![가][1]\n\n[1]: image:abcdefghi1')).toContain('data-name="abcdefghi1"')
    for (const address of [
      'image:abcdefghi',
      'image:ABCDEFGHI1',
      'image:abcdefghi1x',
      'image:../../../x',
      'IMAGE:abcdefghi1',
      'image://abcdefghi1',
      'image:abcdefghi1?a=1',
      'image:abcdefghi1"onerror=alert(1)',
      ' javascript:image:abcdefghi1',
      '/image:abcdefghi1',
      'data:image/png;base64,iVBORw0KGgo=',
      'blob:https://maru.example/abcdefghi1',
    ])
      for (const text of [`![x](${address})`, `![x](<${address}>)`, `![x](${address} "a")`])
        expect(htmlOf(text), text).not.toContain('<img')
    // Its words are words, its title nothing.
    const html = htmlOf('![" onerror="alert(1)](image:abcdefghi1 "x\\" onload=alert(1)")')
    expect(html).toBe('<p><img alt="&quot; onerror=&quot;alert(1)" data-name="abcdefghi1"/></p>')
    // A link does not lead to it.
    expect(htmlOf('[x](image:abcdefghi1)')).toBe('<p>x</p>')
  })

  test('renders no script of a collection as more than text and a few elements', () => {
    const texts = [...strings, ...IN_MARKDOWN, strings.join('\n\n')]
    expect(strings.length).toBeGreaterThan(150)
    const wrong = texts.filter((text) =>
      elementsIn(htmlOf(text)).some(
        ({ name, attributes, values }) =>
          !ALLOWED.test(name) ||
          attributes.some((attribute) => !ATTRIBUTES.test(attribute)) ||
          !/^(https?:\/\/|mailto:|\/\w)/.test(values['href'] ?? '/x'),
      ),
    )
    expect(wrong).toEqual([])
    // Proves that the check would find it.
    expect(elementsIn('<p><img src="x" onerror="alert(1)"/></p>')[1]?.attributes).toEqual(['src', 'onerror'])
  })
})
