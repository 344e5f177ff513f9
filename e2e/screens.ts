import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SCENES, takePicture } from './fixtures/scenes.ts'
import { test } from './fixtures/test.ts'

const FOLDER = join(import.meta.dirname, '../docs/screens')

// `npm run screens`: docs/screens anew, user-search-light.png, user-search-dark.png and so on.
for (const scene of SCENES) {
  for (const theme of ['light', 'dark'] as const) {
    test(`${scene.name}, ${theme}`, async ({ browser, server }) => {
      await takePicture(scene, { theme }, join(FOLDER, `${scene.name}-${theme}.png`), { browser, server })
    })
  }
}

test('no picture is of a scene that is no more', () => {
  const wanted = SCENES.flatMap(({ name }) => [`${name}-light.png`, `${name}-dark.png`])
  for (const file of readdirSync(FOLDER)) if (!wanted.includes(file)) rmSync(join(FOLDER, file))
})
