import { expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../../appliance/cli/command.ts'
import { endOnSignals, unlessStopped } from '../../appliance/cli/terminal.ts'
import { command, type Group, Misunderstood } from '../../src/atrium/command-line.ts'

const heard: unknown[] = []
const tree: Group = {
  about: 'A tree of commands',
  commands: {
    feed: {
      about: 'Animals',
      commands: {
        cat: command({
          about: 'Feed a cat',
          detail: 'It decides when.',
          operands: ['NAME'],
          options: {
            fish: { type: 'boolean', about: 'with fish' },
            amount: { type: 'string', value: 'GRAMS', about: 'how much' },
          },
          run: async (options, name) => void heard.push({ ...options, name }),
        }),
      },
    },
    count: command({ about: 'Count them', run: async () => 3 }),
  },
}

async function run(line: string) {
  let text = ''
  const code = await runCommand(tree, line.split(' ').filter(Boolean), (printed) => (text += printed))
  return { code, text }
}

test('a command is found by its words and gets its options and operands', async () => {
  expect(await run('feed cat --fish --amount 40 Tom')).toEqual({ code: 0, text: '' })
  expect(await run('feed cat -- --help')).toEqual({ code: 0, text: '' })
  expect(heard.splice(0)).toEqual([{ fish: true, amount: '40', name: 'Tom' }, { name: '--help' }])
})

test.each([
  ['dance', 'There is no command atrium dance'],
  ['feed dog', 'There is no command atrium feed dog'],
  ['constructor', 'There is no command atrium constructor'],
  ['feed cat', 'atrium feed cat takes NAME'],
  ['feed cat Tom Tim', 'atrium feed cat takes NAME'],
  ['count more', 'atrium count takes no more words'],
  ['feed cat Tom --bones', "Unknown option '--bones'"],
  ['feed cat Tom --amount', "'--amount <value>' argument missing"],
  ['feed cat Tom --fish=yes', "'--fish' does not take an argument"],
])('"%s" is not guessed at', async (line, message) => {
  await expect(run(line)).rejects.toThrow(Misunderstood)
  await expect(run(line)).rejects.toThrow(message)
  expect(heard).toEqual([])
})

test('work that Ctrl-C breaks off cleans up, though npm passes it on again; a later signal ends it', async () => {
  endOnSignals()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const [end] = signals.map((signal) => process.listeners(signal).at(-1)!)
  onTestFinished(() => {
    for (const signal of signals) process.off(signal, end!)
  })
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  onTestFinished(() => void vi.restoreAllMocks())
  const tidied = Promise.withResolvers<void>()
  const work = unlessStopped('Nothing was written.', async (stopping) => {
    await tidied.promise
    stopping.throwIfAborted()
  })

  for (const _ of ['terminal', 'npm']) end!('SIGINT')
  expect(exit).not.toHaveBeenCalled()
  clock.mockReturnValue(performance.now() + 1000)
  expect(process.listeners('SIGHUP')).toContain(end)
  end!('SIGHUP')
  expect(exit).toHaveBeenCalledExactlyOnceWith(129)
  tidied.resolve()
  await expect(work).rejects.toThrow('Stopped. Nothing was written.')
})
