/** A first start, as a whole command, and the time that is spent waiting for health, against docker compose. */
import type { Docker } from '#clients/docker/client.ts'
import type { TestDocker } from '../../test/testbed/docker.ts'
import { must } from '../charts/unchanged.ts'
import { contest, milliseconds, type Contestant, type Row } from '../row.ts'
import type { Fifty, Project } from './fifty-stacks.ts'
import { bareCalls } from './bare-calls.ts'
import { roadOf } from './road.ts'

export async function* firstStart(
  docker: TestDocker,
  client: Docker,
  fifty: Fifty,
  compose: string,
): AsyncIterable<Row> {
  const environment = {
    ...process.env,
    DOCKER_HOST: `unix://${docker.socket}`,
    TEND_HOME: `${fifty.folder}/home`,
  }
  const { ten, levels } = fifty
  function ours(project: Project) {
    return {
      run: () => must('dist/tend', ['up', '-f', project.file], environment),
      after: () => must('dist/tend', ['down', '-f', project.file, '--yes'], environment),
    }
  }
  function theirs(project: Project, ...more: readonly string[]) {
    const words = ['-f', project.file]
    return {
      run: () => must(compose, [...words, 'up', '-d', ...more], environment),
      after: () => twice(() => must(compose, [...words, 'down', '-t', '0'], environment)),
    }
  }
  const first = await timed({ tend: ours(ten), compose: theirs(ten, '--wait') }, 5)
  yield {
    name: 'first start of 10 services, docker compose to ours',
    measured: first.compose / first.tend,
    goal: { is: 'at least', than: 1 },
    behind: `${milliseconds(first.compose)} against ${milliseconds(first.tend)}`,
  }
  const bare = bareCalls(client, levels)
  // What comes last is waited for by neither.
  const road = roadOf(client, { waits: false })
  const inside = { run: () => road.run(levels), after: () => road.run(levels, true) }
  const two = await timed({ tend: inside, compose: theirs(levels), bare }, 5)
  const [waits, theirWaits] = [two.tend - two.bare, two.compose - two.bare]
  yield {
    name: 'waiting for two healthy levels, ours to docker compose',
    measured: waits / theirWaits,
    goal: { is: 'at most', than: 0.5 },
    behind: `${milliseconds(waits)} against ${milliseconds(theirWaits)}, beside ${milliseconds(two.bare)} of bare calls`,
  }
}

/** On a busy machine a network may still have an endpoint of what is gone already. */
function twice(clear: () => void): void {
  try {
    clear()
  } catch {
    clear()
  }
}

type Timed = { readonly run: () => unknown; readonly after: () => unknown }

/** What a round made is taken away before the next, which is not measured. */
async function timed<Name extends string>(
  contestants: Readonly<Record<Name, Timed>>,
  rounds: number,
): Promise<Readonly<Record<Name, number>>> {
  let clear: () => unknown = () => undefined
  function clearing({ run, after }: Timed): Contestant {
    return {
      before: async () => clear(),
      run() {
        clear = after
        return run()
      },
    }
  }
  const times = await contest(mapped(contestants, clearing), rounds)
  await clear()
  return times
}

function mapped<Name extends string, From, To>(
  all: Readonly<Record<Name, From>>,
  change: (one: From) => To,
): Readonly<Record<Name, To>> {
  const made: Partial<Record<Name, To>> = {}
  for (const name in all) made[name] = change(all[name])
  return whole(made, all)
}

function whole<Name extends string, Item>(
  part: Partial<Record<Name, Item>>,
  names: Readonly<Record<Name, unknown>>,
): Readonly<Record<Name, Item>> {
  if (!isWhole(part, names)) throw new TypeError('a contestant is missing')
  return part
}

function isWhole<Name extends string, Item>(
  part: Partial<Record<Name, Item>>,
  names: Readonly<Record<Name, unknown>>,
): part is Record<Name, Item> {
  return Object.keys(names).every((name) => name in part)
}
