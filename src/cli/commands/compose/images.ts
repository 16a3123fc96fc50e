/** `tend compose images` and `tend compose pull`: the images of a stack. */
import { inspectImage, pullImage } from '#clients/docker/images.ts'
import { authFor } from '#clients/registry/credentials.ts'
import { numberOf, recordOf, textOf, textsOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import { problemOf, Problem } from '#model/problem.ts'
import type { Value } from '#model/value.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { age, aligned, sizeText } from '../../compose/columns.ts'
import { fieldsOf } from '#domains/stacks/expand/operation.ts'
import { ofServices, withProject } from '../../compose/project-containers.ts'
import type { CommandContext } from '../../session.ts'
import { readStack } from '../../stack/load.ts'

const layout = { least: 20, padding: 3 }
const head = ['CONTAINER', 'REPOSITORY', 'TAG', 'PLATFORM', 'IMAGE ID', 'SIZE', 'CREATED'] as const

export function composeImages(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { screen, signal, session } = context
  return withProject(flags, context, async (project) => {
    const rows: JsonRecord[] = []
    for (const { name, item } of ofServices(project, words)) {
      const id = textOf(item['ImageID'])
      const found = recordOf(await inspectImage(project.docker, id, signal))
      const named = textsOf(found['RepoTags'])
      const image = textOf(item['Image'])
      const tag = named.includes(image) ? image : (named[0] ?? '')
      const colon = tag.lastIndexOf(':')
      rows.push({
        ID: textOf(found['Id']) || id,
        ContainerName: name,
        Repository: colon < 0 ? '<none>' : tag.slice(0, colon),
        Tag: colon < 0 ? '<none>' : tag.slice(colon + 1),
        Platform: `${textOf(found['Os'])}/${textOf(found['Architecture'])}`,
        Size: numberOf(found['Size']),
        Created: textOf(found['Created']),
        LastTagTime: textOf(recordOf(found['Metadata'])['LastTagTime']),
      })
    }
    const plain = (id: unknown): string => textOf(id).replace(/^sha256:/, '')
    if (flags.config.isQuiet) screen.print([...new Set(rows.map(({ ID }) => plain(ID)))])
    else if (flags.config.format === 'json') screen.print([JSON.stringify(rows)])
    else if (screen.format !== 'table') await screen.document({ images: rows })
    else {
      const now = session.clock.now()
      const cells = rows.map((row) => [
        textOf(row['ContainerName']),
        textOf(row['Repository']),
        textOf(row['Tag']),
        textOf(row['Platform']),
        plain(row['ID']).slice(0, 12),
        sizeText(numberOf(row['Size'])),
        `${age(now - Date.parse(textOf(row['Created'])))} ago`,
      ])
      screen.print(aligned([[...head], ...cells], layout))
    }
    return 0
  })
}

/** Pulls what the files declare, not what runs: a service may not exist yet. Images that are built are not pulled. */
export async function composePull(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { session, screen, signal } = context
  const { made } = await readStack(flags, session, await session.memory())
  const { rendered } = made
  const [fault] = rendered.problems
  if (fault !== undefined) throw new Problem(fault)
  const wanted = rendered.resources.flatMap(({ spec }) => wantedIn(spec))
  const unknown = words.find((word) => !wanted.some(({ service }) => service === word))
  if (unknown !== undefined) {
    const message = `no such service: ${unknown}`
    throw new Problem({ type: 'configuration', code: 'not_found', message })
  }
  const meant = wanted.filter(({ service }) => words.length === 0 || words.includes(service))
  const images = new Map(meant.map((one) => [one.image, one]))
  const report = (text: string): void => {
    if (!flags.config.isQuiet) screen.note(text)
  }
  return withProject(flags, context, async ({ docker }) => {
    let exit = 0
    for (const { image, platform, isBuilt } of images.values()) {
      if (isBuilt) {
        report(` Image ${image} Skipped: it is built`)
        continue
      }
      report(` Image ${image} Pulling`)
      try {
        const auth = await authFor(image)
        await pullImage(docker, { image, platform, auth, report: () => undefined }, signal)
        report(` Image ${image} Pulled`)
      } catch (thrown) {
        if (!flags.containers.goesOn) throw thrown
        screen.note(` Image ${image} Error ${problemOf(thrown).message}`)
        exit = 0
      }
    }
    return exit
  })
}

type WantedImage = {
  readonly service: string
  readonly image: string
  readonly platform: string | undefined
  readonly isBuilt: boolean
}

function wantedIn(spec: Value): readonly WantedImage[] {
  const { image, about, build, service } = fieldsOf(spec)
  if (typeof image !== 'string') return []
  const { platform } = fieldsOf(service)
  return [
    {
      service: textOf(fieldsOf(about)['service']),
      image,
      platform: typeof platform === 'string' ? platform : undefined,
      isBuilt: build !== undefined,
    },
  ]
}
