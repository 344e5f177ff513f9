import { codeAt } from '../../dev/test-kit/factors.ts'
import { closeToast, logOut } from '../fixtures/dialogs.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { expect, PASSWORD, test } from '../fixtures/test.ts'
import { logIn, passGate, setUpApp } from './steps.ts'

test.afterEach(({ server }) => server.pool.query('update roles set devices_trusted = false'))

test('asks a trusted device for no second factor at a login, until its user removes it (rules/account#trusted-devices)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  await server.pool.query(`update roles set devices_trusted = true where code = 'AUT003'`)
  const { page, person } = await as('user')
  const code = page.getByRole('textbox', { name: '인증 코드', exact: true })
  const trust = page.getByRole('checkbox', { name: '이 기기에서 30일 동안 묻지 않기' })
  const confirm = page.getByRole('button', { name: '확인', exact: true })
  await page.goto('/mypage')
  await passGate(page)
  await page.getByRole('button', { name: '2단계 인증 관리', exact: true }).click()
  const { secret, codes } = await setUpApp(page)
  const download = page.waitForEvent('download')
  await codes.getByRole('button', { name: '파일로 저장', exact: true }).click()
  await download
  await codes.getByRole('button', { name: '닫기', exact: true }).last().click()
  /** Types a code of the app, which counts although one of this half minute was used. */
  const typeCode = async () => {
    await server.pool.query('update totp_secrets set last_step = 0 where user_id = $1', [person.id])
    await code.fill(codeAt(secret, new Date()))
    await confirm.click()
  }
  const enter = async () => {
    await logOut(page)
    await logIn(page, person.userId, PASSWORD)
  }

  await enter()
  await page.getByRole('button', { name: '복구 코드 사용' }).click()
  await expect(trust).toHaveCount(0)
  await page.getByRole('button', { name: '인증 앱 사용' }).click()
  await trust.check()
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')
  await typeCode()
  await expect(page).toHaveURL('/main')

  await enter()
  await expect(page).toHaveURL('/main')
  await page.goto('/mypage')
  await passGate(page)
  const devices = page.getByRole('region', { name: '신뢰하는 기기' })
  await expect(devices.getByRole('listitem')).toContainText('현재 기기')
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')
  await devices.getByRole('button', { name: /^신뢰하는 기기 삭제/ }).click()
  await typeCode()
  await closeToast(page, '신뢰하는 기기를 삭제했습니다.')
  await expect(devices).toHaveCount(0)

  await enter()
  await expect(code).toBeFocused()
})
