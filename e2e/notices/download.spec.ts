import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { newStorageKey, putFile } from '../../server/services/storage.ts'
import { openDiskStorage } from '../../server/services/storage/disk.ts'
import { answer } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { writeNotice } from './steps.ts'

const MB = 1024 * 1024

test.describe('a download (rules/files#download, rules/files#download-link, design/uploads-and-files#downloads)', () => {
  test('shows a stoppable overlay if small, counts a link if large, reports a lost file', async ({
    as,
    server,
    relay,
  }) => {
    const { page, person } = await as('user', {}, relay)
    const id = await writeNotice(server, { title: '내려받기', author: person })
    const store = async (name: string, size: number) => {
      await server.db.deleteFrom('noticeFiles').where('noticeId', '=', id).execute()
      const key = newStorageKey(new Date())
      const storage = await openDiskStorage(join(server.dataDir, 'files'))
      if (size > 0) await putFile(storage, key, Readable.from(zeros(size)))
      await server.db
        .insertInto('noticeFiles')
        .values({
          id: randomUUID(),
          noticeId: id,
          savePath: key.path,
          saveFileName: key.name,
          originalName: name,
          // Without bytes: a large one that the storage has lost.
          sizeBytes: String(size || 33 * MB),
        })
        .execute()
      await page.goto(`/notice/detail?noticeId=${id}`)
      return page.getByRole('button', { name: `${name} 내려받기`, exact: true })
    }

    const small = await store('작은 파일.txt', 5)
    const way = relay.hold('/api/bmt/v1/dwn/fileInfo')
    await small.click()
    await way.reached
    const overlay = page.getByRole('dialog', { name: '작은 파일.txt 내려받는 중' })
    await expect(overlay.getByRole('status')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(overlay).toHaveCount(0)
    await expect(small).toBeFocused()
    way.release()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)

    const name = "2026년 '대용량' 자료 (최종) 50%.zip"
    const large = await store(name, 33 * MB)
    const downloading = page.waitForEvent('download')
    await large.click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(name)
    expect(download.url()).toContain('/api/bmt/v1/files/')
    expect((await stat(await download.path())).size).toBe(33 * MB)
    await page.reload()
    await expect(page.getByText('내려받기 1회')).toBeVisible()

    await (await store('잃어버린 자료.zip', 0)).click()
    await answer(page, '파일이 존재하지 않습니다. 다시 등록해주세요.', '확인')
    await expect(page).toHaveURL(/notice\/detail/)
    const repair = relay.refuse('/api/bmt/v1/dwn/linkInfo', 502)
    await page.getByRole('button', { name: '잃어버린 자료.zip 내려받기' }).click()
    await answer(page, '관리자에게 문의해주세요.', '확인')
    repair()
    await expect(page).toHaveURL(/main$/)
  })
})

function* zeros(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= MB) yield Buffer.alloc(Math.min(left, MB))
}
