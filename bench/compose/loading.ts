/** Reading Compose files, against docker compose config. */
import { loadCompose } from '#formats/compose/load/load.ts'
import { openFiles } from '#cli/compose/open-files.ts'
import { must } from '../charts/unchanged.ts'
import { contest, milliseconds, type Row } from '../row.ts'
import type { Fifty, Project } from './fifty-stacks.ts'

export async function* loading(fifty: Fifty, compose: string): AsyncIterable<Row> {
  const { projects, long } = fifty
  function theirs({ file }: Project): void {
    must(compose, ['-f', file, 'config', '--quiet'], process.env)
  }
  const times = await contest(
    {
      fifty: { run: () => projects.forEach(load) },
      theirFifty: { run: () => projects.forEach(theirs), rounds: 2 },
      long: { run: () => load(long) },
      theirLong: { run: () => theirs(long) },
      command: {
        run: () =>
          must('dist/tend', ['compose', 'config', '--quiet', '-f', long.file], process.env),
      },
    },
    7,
  )
  yield {
    name: 'loading 50 stacks, docker compose config to ours',
    measured: times.theirFifty / times.fifty,
    goal: { is: 'at least', than: 10 },
    behind: `${milliseconds(times.theirFifty)} against ${milliseconds(times.fifty)}`,
  }
  yield {
    name: 'a file of 3,000 lines, docker compose config to ours',
    measured: times.theirLong / times.long,
    goal: { is: 'at least', than: 2 },
    behind: `${milliseconds(times.theirLong)} against ${milliseconds(times.long)} (as a command ${milliseconds(times.command)})`,
  }
}

function load({ file, folder }: Project): void {
  const { printed } = loadCompose({
    files: openFiles,
    workingDirectory: folder,
    configFiles: [file],
    envFiles: [],
    environment: {},
    home: '/nonexistent',
    profiles: [],
    interpolate: true,
  })
  if (typeof printed['services'] !== 'object') throw new TypeError('nothing was loaded')
}
