import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SCENES, takePicture } from './scenes.ts'
import { test } from '../fixtures/test.ts'

/** The few pictures that are committed, and a folder of it that Git ignores for all the others. */
const FOLDER = join(import.meta.dirname, '../../docs/screens')
const OTHERS = join(FOLDER, 'others')
mkdirSync(OTHERS, { recursive: true })

// `npm run screens` takes all screenshots again: user-search-light.png, user-search-dark.png and so on.
for (const scene of SCENES) {
  for (const theme of ['light', 'dark'] as const) {
    test(`${scene.name}, ${theme}`, async ({ browser, server }) => {
      const file = `${scene.name}-${theme}.png`
      const path = join(existsSync(join(FOLDER, file)) ? FOLDER : OTHERS, file)
      await takePicture(scene, { theme }, path, { browser, server })
    })
  }
}

test('no picture is of a scene that no longer exists', () => {
  const wanted = SCENES.flatMap(({ name }) => [`${name}-light.png`, `${name}-dark.png`])
  for (const folder of [FOLDER, OTHERS]) {
    for (const file of readdirSync(folder)) {
      if (file.endsWith('.png') && !wanted.includes(file)) rmSync(join(folder, file))
    }
  }
})
