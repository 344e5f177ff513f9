import { expect, test } from '../fixtures/test.ts'

test('finds a call, shows its fields and samples, and makes it with a token (rules/wire#plain-calls)', async ({
  as,
  server,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const { page, person } = await as('user')
  const programToken = `maru-program-${'r'.repeat(43)}`
  await server.pool.query(
    `insert into program_tokens (user_id, name, token_hash, scopes, expires_at)
     values ($1, 'reference', sha256($2::bytea), '{colleagues:read}', now() + interval '1 day')`,
    [person.id, programToken],
  )
  await page.goto('/developer')
  await expect(page).toHaveTitle('API 문서 | 마루')
  await page.getByRole('searchbox', { name: '호출 검색' }).fill('임직원')
  await expect(page.getByRole('row')).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'users/listColleagues' }).press('Enter')

  await expect(page).toHaveURL('/developer?call=users%2FlistColleagues')
  await expect(page.getByRole('table', { name: '출력' })).toContainText('colleagues[].email')
  const send = page.getByRole('button', { name: '호출', exact: true })
  await send.click()
  const token = page.getByLabel('프로그램 토큰', { exact: true })
  await expect(token).toHaveAccessibleDescription(/필수/)
  const body = page.getByRole('textbox', { name: '입력 (JSON)' })
  await token.fill(`${programToken}x`)
  await body.fill('{"perPage": 1}')
  await send.click()
  const answer = page.getByRole('status', { name: '응답' })
  await expect(answer).toContainText('PROGRAM_TOKEN_REQUIRED')
  await token.fill(programToken)
  await body.fill('{"perPage": 1')
  await send.click()
  await expect(body).toHaveAccessibleDescription(/JSON/)
  await body.fill('{"perPage": 1}')
  await body.press('Tab')
  await page.keyboard.press('Enter')
  await expect(answer).toContainText('200')
  await expect(answer).toContainText('"totalCount"')
  await expectAccessibleInEveryLook(page)
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(
    programToken,
  )
})

test('sends no request to another host, whatever the address says, and shows a response as text', async ({
  as,
  server,
}) => {
  const { page, person } = await as('user')
  const programToken = `maru-program-${'h'.repeat(43)}`
  await server.pool.query(
    `insert into program_tokens (user_id, name, token_hash, scopes, expires_at)
     values ($1, 'hostile', sha256($2::bytea), '{colleagues:read}', now() + interval '1 day')`,
    [person.id, programToken],
  )
  const name = '<img src=//evil.example/i onerror=alert(1)>'
  await server.pool.query('update users set name = $2 where id = $1', [person.id, name])
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  for (const call of [
    '//evil.example/users/listColleagues',
    'https://evil.example',
    '../../v1/login',
    '__proto__',
  ]) {
    await page.goto(`/developer?call=${encodeURIComponent(call)}`)
    await expect(page.getByRole('searchbox', { name: '호출 검색' })).toBeVisible()
  }
  await page.goto('/developer?call=users%2FlistColleagues')
  await page.getByLabel('프로그램 토큰', { exact: true }).fill(programToken)
  await page.getByRole('textbox', { name: '입력 (JSON)' }).fill(JSON.stringify({ keyword: name }))
  await page.getByRole('button', { name: '호출', exact: true }).click()
  const answer = page.getByRole('status', { name: '응답' })
  await expect(answer).toContainText(name)
  await expect(answer.locator('img')).toHaveCount(0)
  expect([...hosts]).toEqual([new URL(page.url()).host])
  // The token is gone with the page of its call.
  await page.getByRole('link', { name: '호출 목록' }).click()
  await expect(page.getByRole('searchbox', { name: '호출 검색' })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('프로그램 토큰', { exact: true })).toHaveValue('')
})
