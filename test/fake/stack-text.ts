/** A stack rendered out of texts, as if they lay in /srv/shop. */
import { renderStack } from '#domains/stacks/render/render.ts'
import type { StackInput, StackRendered } from '#domains/stacks/stack-input.ts'
import { allowAll } from '#model/policy.ts'

export type Files = Readonly<Record<string, string>>

export function renderText(
  yaml: string,
  more: Partial<StackInput> = {},
  files: Files = {},
  opened?: StackInput['load']['files']['opened'],
): StackRendered {
  const { files: own } = loadOf({ 'compose.yaml': yaml, ...files })
  const given = opened === undefined ? own : { ...own, opened }
  const load = { ...loadOf({}), ...more.load, files: given }
  const input = { policy: allowAll, revision: 'r1', seed: new Uint8Array([1]) }
  return renderStack({ ...input, ...more, load })
}

export function loadOf(files: Files): StackInput['load'] {
  const root = '/srv/shop'
  const names = Object.keys(files).map((name) => `${root}/${name}`)
  return {
    files: {
      read(path) {
        const text = files[path.slice(root.length + 1)]
        return text === undefined ? undefined : Buffer.from(text)
      },
      isDirectory: (path) => names.some((name) => name.startsWith(`${path}/`)),
    },
    workingDirectory: root,
    configFiles: [],
    envFiles: [],
    environment: {},
    home: '/root',
    profiles: [],
    interpolate: true,
  }
}

/** With the line of each. */
export function messages({ problems }: StackRendered): readonly string[] {
  return problems.map(({ message, at }) => `${at?.line}: ${message}`)
}
