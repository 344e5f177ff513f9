import { describe, expect, test } from 'vitest'
import { endpoints } from '../contract/index.ts'
import { beginUpload } from '../contract/notices.ts'
import { attach, filesOf, sendUpload } from '../dev/test-kit/files.ts'
import { type Answer, useMaru } from '../dev/test-kit/maru.ts'
import type { TestUser } from '../dev/test-kit/people.ts'
import { pngOf } from '../dev/test-kit/pictures.ts'
import { fieldsOf, sampleOf } from '../dev/test-kit/samples.ts'

/*
 * Every call that is about a notice, its file, a picture or an upload, by every role, on four kinds of notices: the
 * caller's, another user's, that of a higher-privileged user, and one not published yet
 * (rules/notices#who-edits-notices, rules/notices#scheduled).
 */
const maru = useMaru()
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

const NAMES_A_NOTICE = ['noticeId', 'commentId', 'answeredId', 'uploadId', 'fileId', 'storedName']

const ACTORS = ['user', 'writer', 'hr', 'admin'] as const
const WHOSE = ['own', 'other', 'above', 'hidden'] as const
type Who = (typeof ACTORS)[number]
type Whose = (typeof WHOSE)[number]
const MANAGERS: readonly Who[] = ['hr', 'admin']

/** A notice and who wrote it. */
interface Written {
  noticeId: string
  author: TestUser
}

/** A call about a notice. */
interface About {
  input: (of: Written) => object | Promise<object>
  /** It is answered to everybody who may see the notice; else to its author and to who manages notices. */
  isReading?: true
  /** Answer if the caller may not know whether there is anything. */
  missing?: string
  answers?: Partial<Record<Whose, string>>
  /** The notice is must-read. */
  isMarked?: true
  /** Answer to the author of a must-read notice who does not manage notices. */
  ofMarked?: string
  /** Returns the outcome of an answer that is not a refusal. */
  says?: (input: object) => Promise<string>
  /** It is no enveloped one. */
  call?: (of: Written, actor: TestUser) => Promise<Pick<Answer, 'status' | 'code'>>
}

const named = (more: object = {}) => ({ input: ({ noticeId }: Written) => ({ noticeId, ...more }) })

async function fileOf({ noticeId, author }: Written) {
  await attach(maru, author, noticeId, '자료.txt', '내용')
  const [file] = await filesOf(maru, author, noticeId)
  const { fileId = '', storedName = '', storedPath = '' } = file ?? {}
  return { fileId, storedName, storedPath }
}
async function stored(of: Written) {
  const { storedName, storedPath } = await fileOf(of)
  return { storedName, storedPath }
}
/** An upload that its author has begun and that needs no byte more. */
async function uploadOf({ noticeId, author }: Written) {
  const { data } = await maru.call(beginUpload, { noticeId, fileName: '빈 파일.txt', fileSize: 0 }, author)
  return { uploadId: data.uploadId }
}
async function commentOf({ noticeId, author }: Written) {
  const [row] = await sql(
    `insert into notice_comments (notice_id, author_id, body) values ($1, $2, '글') returning id`,
    [noticeId, author.id],
  )
  return { commentId: row.id }
}
const nobodyElses = (answer: string) => ({ other: answer, above: answer, hidden: answer })

const CALLS: Record<string, About> = {
  createNotice: {
    input: async ({ author }) => ({
      bulletCode: 'BE0001',
      title: '글',
      memo: '',
      uploadId: await sendUpload(maru, author, '자료.txt', '내용'),
    }),
    answers: nobodyElses('400 UPLOAD_NOT_FOUND'),
  },
  getNotice: { ...named(), isReading: true },
  // An unpublished notice cannot be confirmed, even by users who can see it.
  confirmNotice: { ...named(), isMarked: true, isReading: true, answers: { hidden: '400 NOTICE_NOT_FOUND' } },
  acknowledgeNotice: {
    ...named({ acknowledged: true }),
    answers: { own: '400 NOTICE_RESPONSE_OFF', other: 'done', above: 'done', hidden: '400 NOTICE_NOT_FOUND' },
  },
  listComments: { ...named(), isReading: true, answers: { hidden: '400 NOTICE_NOT_FOUND' } },
  listMentionable: {
    ...named({ keyword: '' }),
    isReading: true,
    answers: { hidden: '400 NOTICE_NOT_FOUND' },
  },
  createComment: {
    input: async (of) => ({
      noticeId: of.noticeId,
      text: '글',
      answeredId: (await commentOf(of)).commentId,
    }),
    isReading: true,
    answers: { hidden: '400 NOTICE_NOT_FOUND' },
  },
  updateComment: {
    input: async (of) => ({ ...(await commentOf(of)), text: '바뀐 글' }),
    answers: nobodyElses('400 COMMENT_NOT_FOUND'),
  },
  deleteComment: { input: commentOf, missing: '400 COMMENT_NOT_FOUND' },
  updateNotice: named({ bulletCode: 'BE0001', title: '바뀐 제목', memo: '' }),
  deleteNotice: named(),
  listUnread: { ...named(), isMarked: true, answers: { hidden: '400 NOTICE_NOT_PUBLISHED' } },
  remindUnread: {
    ...named(),
    isMarked: true,
    ofMarked: '403 NOTICE_MARKED',
    answers: { hidden: '400 NOTICE_NOT_PUBLISHED' },
  },
  beginUpload: named({ fileName: '자료.txt', fileSize: 2 }),
  uploadFile: {
    ...named(),
    call: ({ noticeId }, actor) => attach(maru, actor, noticeId, '자료.txt', '내용'),
  },
  finishUpload: { input: uploadOf, answers: nobodyElses('400 UPLOAD_NOT_FOUND') },
  cancelUpload: {
    input: uploadOf,
    answers: nobodyElses('nothing'),
    says: async (input) => {
      const { uploadId } = input as { uploadId: string }
      const open = await sql('select from uploads where id = $1 and finished_at is null', [uploadId])
      return open.length === 0 ? 'done' : 'nothing'
    },
  },
  deleteFile: { input: async (of) => ({ noticeId: of.noticeId, ...(await fileOf(of)) }) },
  downloadFile: { input: stored, isReading: true, missing: '400 FILE_NOT_FOUND' },
  linkFile: { input: stored, isReading: true, missing: '400 FILE_NOT_FOUND' },
  downloadPicture: { input: pictureOf, isReading: true, missing: '400 PICTURE_NOT_FOUND' },
}

/** A picture of the notice's text. */
async function pictureOf({ noticeId, author }: Written) {
  const picture = 'abcdefghi1'
  const id = await sendUpload(maru, author, '사진.png', pngOf(2, 2), { picture })
  await sql(
    `with taken as (update uploads set finished_at = now(), notice_id = $2 where id = $1 returning *)
      insert into notice_files (id, notice_id, save_path, save_file_name, original_name, size_bytes, picture, width, height)
      select id, notice_id, save_path, save_file_name, original_name, size_bytes, picture, width, height from taken`,
    [id, noticeId],
  )
  return { noticeId, picture }
}

function expected(
  { isReading, missing = '400 NOTICE_NOT_FOUND', answers, ofMarked }: About,
  who: Who,
  whose: Whose,
) {
  // Users who manage notices cannot take over an upload either.
  if (MANAGERS.includes(who) || answers?.other !== undefined) return answers?.[whose] ?? 'done'
  if (whose === 'own') return ofMarked ?? 'done'
  if (whose === 'hidden') return missing
  return isReading ? 'done' : '403 FORBIDDEN'
}

async function create(role: Who): Promise<TestUser> {
  const person = await maru.createUser({ role: role === 'writer' ? 'user' : role })
  if (role === 'writer') await sql(`update users set role_code = 'AUT960' where id = $1`, [person.id])
  return person
}

async function write(
  author: TestUser,
  { isHidden, isMarked }: { isHidden: boolean; isMarked: boolean },
): Promise<Written> {
  const [row] = await sql(
    `insert into notices (bullet_code, title, must_read, author_id, published_at)
      values ('BE0001', '글', $3, $1, now() + make_interval(days => $2)) returning id`,
    [author.id, isHidden ? 3 : 0, isMarked],
  )
  return { noticeId: row.id, author }
}

const entryOf = new Map(endpoints.map((entry) => [entry.name, entry]))

describe('records of the board', () => {
  test('are named by the calls below, and by no other', () => {
    const naming = endpoints
      .filter((entry) => fieldsOf(sampleOf(entry)).some((name) => NAMES_A_NOTICE.includes(name)))
      .map(({ name }) => name)
    expect(naming.toSorted()).toEqual(Object.keys(CALLS).toSorted())
  })

  test.each(Object.keys(CALLS))(
    '%s: answers every caller about every record as the rules say',
    async (name) => {
      await sql(
        `insert into roles (code, group_name, name_en, sort_order) values ('AUT960', '글쓴이', 'Writer', 9) on conflict do nothing`,
      )
      await sql(`insert into role_functions values ('AUT960', 'autho_notice_insert') on conflict do nothing`)
      const call = CALLS[name] as About
      const seen: Record<string, string> = {}
      const wanted: Record<string, string> = {}
      const look = async ([who, whose]: readonly [Who, Whose]) => {
        const actor = await create(who)
        const author = whose === 'own' ? actor : await create(whose === 'above' ? 'admin' : 'user')
        const of = await write(author, { isHidden: whose === 'hidden', isMarked: call.isMarked === true })
        const input = await call.input(of)
        const path = entryOf.get(name)?.endpoint.path ?? ''
        const answer = await (call.call?.(of, actor) ?? maru.callRaw(path, input, actor))
        const done = (await call.says?.(input)) ?? 'done'
        seen[`${who}, ${whose}`] = answer.status === 200 ? done : `${answer.status} ${answer.code}`
        wanted[`${who}, ${whose}`] = expected(call, who, whose)
      }
      await Promise.all(ACTORS.flatMap((who) => WHOSE.map((whose) => look([who, whose]))))
      expect(seen).toEqual(wanted)
    },
  )
})
