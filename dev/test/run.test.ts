import { expect, test } from 'vitest'
import { runStages } from './run.ts'
import { chooseSteps, type Step } from './steps.ts'

/* Runs the steps of `npm test` with real processes. */

/** A step that runs this JavaScript. */
const step = (name: string, code: string): Step => ({
  name,
  what: name,
  run: async (node) => ((await node(['-e', code])) === 0 ? 'passed' : { failed: 'it did' }),
})

const talk = (word: string) => `console.log('${word} begins'); console.log('${word} ends')`

const namesOf = (...names: string[]) =>
  chooseSteps(names)
    .flat(2)
    .map(({ name }) => name)

async function run(stages: Step[][][]) {
  let said = ''
  const results = await runStages(stages, (text) => (said += text)).results
  return { said, ended: results.map(({ step: { name }, outcome }) => [name, outcome]) }
}

test('prints the output of each parallel step at its end, then starts the next stage', async () => {
  const { said, ended } = await run([
    [[step('one', talk('one')), step('two', talk('two'))], [step('three', talk('three'))]],
    [[step('four', '')]],
  ])
  for (const word of ['one', 'two', 'three'])
    expect(said).toMatch(new RegExp(`── ${word}: ${word}\n${word} begins\n${word} ends\n── ${word} passed`))
  expect(said.indexOf('── two')).toBeGreaterThan(said.indexOf('── one passed'))
  expect(ended.map(([name]) => name)).toHaveLength(4)
  expect(ended.at(-1)).toEqual(['four', 'passed'])
})

test('ends parallel steps after a failure and starts no more', async () => {
  const { said, ended } = await run([
    [[step('fails', 'process.exit(1)'), step('next', '')], [step('endless', 'setInterval(() => {}, 1000)')]],
    [[step('later', '')]],
  ])
  expect(ended).toEqual([['fails', { failed: 'it did' }]])
  expect(said).not.toMatch(/next|later|endless/)
})

test('fails the running steps on an interruption', async () => {
  const { results, interrupt } = runStages([[[step('endless', 'setInterval(() => {}, 1000)')]]], () => {})
  interrupt('SIGTERM')
  expect((await results).map(({ outcome }) => outcome)).toEqual([{ failed: 'interrupted' }])
})

test('runs a named step with the steps it needs', () => {
  expect(namesOf('cluster', 'types')).toEqual(['types', 'build', 'cluster'])
  expect(namesOf()).toContain('browser')
  expect(() => chooseSteps(['nothing'])).toThrow('There is no step "nothing"')
})
