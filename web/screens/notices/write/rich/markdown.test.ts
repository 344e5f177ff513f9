import fc from 'fast-check'
import { Fragment, type Node } from 'prosemirror-model'
import { describe, expect, test, vi } from 'vitest'
import { readMarkdown } from './from-markdown.ts'
import { markType, nodeType, schema } from './schema.ts'
import { isSame, openMarkdown, toShownNode, writeMarkdown } from './to-markdown.ts'

vi.stubGlobal('location', { origin: 'https://maru.example' })

const TEXTS = [
  '# 제목\n\n**중요** 공지입니다.\n둘째 줄',
  '- [규정](https://a.kr)을 본다\n- `npm` 실행',
  '| 항목 | 금액 |\n| --- | ---: |\n| 식대 | 10 |\n| 가\\|나 | `a\\|b` |',
  '> 인용\n> - 가\n>   - 나\n\n```sh\n코드 1\n\n코드 2\n```\n\n---\n\n![그림 설명](image:abcdefghi1)',
  '<b>그대로</b> \\*별\\*',
  '**점검(안)**을 합니다. *기울임*과 ~~취소~~와 ***둘 다***',
  '3. 셋\n4. 넷\n\n   넷의 둘째 문단\n\n10) 열',
  '- 가\n- 나\n\n* 다\n* 라\n\n1. 하나\n1. 둘',
  '제목\n둘째 줄\n===\n\n    들여 쓴 코드\n\n끝',
  '[공지] 3*4 = 12, a_b_c, 100% & 50 < 60\n# 아님',
  '- ```\n  코드\n  ```\n- \n- ---\n- > 인용\n\n<https://example.com/a_b>',
  '``a`b`` ` `` ` [[가]](https://a.kr/(b) "제 \\"목") [**굵은** 링크](/notice/search)',
]

/** Pieces of Markdown that the property tests put together, separated by lines. */
const SIGNS =
  `- |1. |2) |* |> |# |## |\`\`\`|~~~|---|===| |  |    |**|*|_|~~|\`|[|](|)|<|\\|&amp;|!|가|나 다|a|.|(안)`.split(
    '|',
  )
const PIECES = [...TEXTS, ...SIGNS, '\n', '\n\n', '|', '| ', '|-|']
const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((parts) => parts.join(''))

describe('the Markdown of the editor (rules/notices#editor)', () => {
  test.each(TEXTS)('opens %j, and writes all of it again as readers see it', (text) => {
    expect(openMarkdown(text)).toBeDefined()
    const again = writeMarkdown(openMarkdown(text)!.doc)
    expect(isSame(readMarkdown(again)!.doc, readMarkdown(text)!.doc), again).toBe(true)
  })

  test('returns every unedited text byte for byte', () => {
    fc.assert(
      fc.property(pieces, (text) => {
        const original = openMarkdown(text)
        if (original !== undefined) expect(writeMarkdown(original.doc, original)).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })

  test('opens nearly every text of the subset', () => {
    const refused = fc
      .sample(pieces, { numRuns: 2_000, seed: 1 })
      .filter((text) => openMarkdown(text) === undefined)
    expect(refused.length).toBeLessThan(10)
  })

  test('leaves a text with reference links or too many parts to its source', () => {
    for (const text of [
      '[규정]\n\n[규정]: https://a.kr',
      '가나다\n'.repeat(6_001),
      '| a | b |\n| - | - |\n'.repeat(3_000),
    ])
      expect(openMarkdown(text)).toBeUndefined()
  })

  test.each(['**', '--', '- - -', '* **'])('writes no rule for a list with the words %j', (words) => {
    const lists = ['-', '*'].map((marker) =>
      nodeType('bullet_list').create({ marker }, [listItem('가'), listItem(words)]),
    )
    for (const blocks of [[lists[0]!], [lists[1]!]]) {
      const doc = schema.node('doc', null, blocks)
      const text = writeMarkdown(doc)
      expect(isSame(readMarkdown(text)!.doc, doc), text).toBe(true)
    }
  })

  test('keeps what was not edited, and what the edit means, wherever a block is added, removed or moved', () => {
    fc.assert(
      fc.property(
        pieces,
        fc.nat(),
        fc.constantFrom('add', 'remove', 'move', 'list', 'code'),
        (text, at, kind) => {
          const original = openMarkdown(text)
          if (original === undefined) return
          const blocks = [...original.doc.content.content]
          const index = at % blocks.length
          const [block] = blocks.splice(index, kind === 'remove' || kind === 'move' ? 1 : 0)
          const paragraph = nodeType('paragraph').create(null, schema.text('새 문단'))
          if (kind === 'add') blocks.splice(index, 0, paragraph)
          if (kind === 'move') blocks.push(block!)
          if (kind === 'list')
            blocks.splice(
              index,
              0,
              nodeType('bullet_list').create(null, nodeType('list_item').create(null, paragraph)),
            )
          if (kind === 'code')
            blocks.splice(index, 0, nodeType('code_block').create(null, schema.text('```\n새')))
          const doc = schema.node('doc', null, blocks.length > 0 ? blocks : nodeType('paragraph').create())
          const written = writeMarkdown(doc, original)
          expect(isSame(readMarkdown(written)!.doc, doc), JSON.stringify([text, written])).toBe(true)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('reads every document that can be edited back, but for emphasis that Markdown cannot express', () => {
    const words = fc.constantFrom(
      '가나',
      '다 ',
      ' 라',
      'abc',
      ' ',
      '(안)',
      '"b"',
      '*',
      '_x_',
      '[y]',
      '- ',
      '1. ',
      '# ',
      '<a>',
      '`',
      '|',
      '\\',
      '~~',
      '&lt;',
      '!',
      'https://a.kr/b_c',
    )
    const mark = fc.constantFrom('strong', 'em', 'strike', 'code')
    const leaf = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.tuple(words, fc.uniqueArray(mark, { maxLength: 2 })).map(([word, names]) =>
          schema.text(
            word,
            names.map((name) => markType(name).create()),
          ),
        ),
      },
      { weight: 1, arbitrary: fc.constant(nodeType('hard_break').create()) },
      {
        weight: 1,
        arbitrary: fc.constant(schema.text('링크', [markType('link').create({ href: 'https://a.kr/(b' })])),
      },
    )
    const line = fc.array(leaf, { maxLength: 6 })
    const flat = line.map((nodes) => nodes.filter(({ isText }) => isText))
    const textblock = fc.oneof(
      line.map((nodes) => nodeType('paragraph').create(null, nodes)),
      fc
        .tuple(fc.integer({ min: 1, max: 6 }), flat)
        .map(([level, nodes]) => nodeType('heading').create({ level }, nodes)),
    )
    const { block } = fc.letrec<{ block: Node; item: Node }>((tie) => ({
      item: fc
        .array(tie('block'), { minLength: 1, maxLength: 3 })
        .map((blocks) => nodeType('list_item').create(null, blocks)),
      block: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        textblock,
        fc
          .constantFrom('a', '', '```\nb', '  c\n\n')
          .map((code) => nodeType('code_block').create(null, code === '' ? null : schema.text(code))),
        fc.constant(nodeType('horizontal_rule').create()),
        fc.array(fc.tuple(flat, flat), { minLength: 1, maxLength: 3 }).map((rows) =>
          nodeType('table').create(
            null,
            rows.map((cells, row) =>
              nodeType('table_row').create(
                null,
                cells.map((cell) =>
                  nodeType(row === 0 ? 'table_header' : 'table_cell').create(
                    null,
                    nodeType('paragraph').create(null, cell),
                  ),
                ),
              ),
            ),
          ),
        ),
        fc
          .array(tie('block'), { minLength: 1, maxLength: 3 })
          .map((blocks) => nodeType('blockquote').create(null, blocks)),
        fc
          .array(tie('item'), { minLength: 1, maxLength: 3 })
          .map((items) => nodeType('bullet_list').create(null, items)),
        fc
          .tuple(fc.nat(12), fc.array(tie('item'), { minLength: 1, maxLength: 3 }))
          .map(([start, items]) => nodeType('ordered_list').create({ start }, items)),
      ),
    }))
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (blocks) => {
        const doc = schema.node('doc', null, blocks)
        const text = writeMarkdown(doc)
        const again = readMarkdown(text)
        expect(again, text).toBeDefined()
        expect(bare(again!.doc), text).toBe(bare(doc))
      }),
      { numRuns: 3_000 },
    )
  })
})

/** Makes an item of a list with one paragraph. */
function listItem(text: string): Node {
  return nodeType('list_item').create(null, nodeType('paragraph').create(null, schema.text(text)))
}

/** Returns a document as readers see it, without emphasis and blank lines in lists. */
function bare(doc: Node): string {
  const without = (node: Node): Node =>
    node.isText
      ? node.mark(node.marks.filter(({ type }) => !['strong', 'em', 'strike'].includes(type.name)))
      : node.type.create(
          { ...node.attrs, tight: true },
          Fragment.fromArray(node.content.content.map(without)),
        )
  return without(toShownNode(doc)).toString()
}
