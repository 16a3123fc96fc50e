/** Stacks: Compose files, run on Docker or Podman. */
import type { ApplicationKind } from '#model/application-kind.ts'
import type { ContextTask, FillTask } from '#domains/stacks/stack-task.ts'
import type { StackRequest } from './stacks/stack-request.ts'

export const stacks: ApplicationKind = {
  name: 'stack',
  words: {
    title: 'Stack',
    plural: 'stacks',
    removeCommand: ({ name }) => `tend down -p ${name}`,
    applyCommand: { command: 'tend up -f', takes: 'FILE' },
    serviceOf: (container) => container.replace(/-\d+$/, ''),
    argument: ({ name }) => name,
  },
  verbGroup: 'compose',
  async load(around) {
    const { loadedStacks, stacksAround } = await import('#kinds/stacks/load.ts')
    return around === undefined ? loadedStacks : stacksAround(around)
  },
  declaration: async () => (await import('#kinds/stacks/declaration.ts')).stackDeclaration,
  async render(request: StackRequest) {
    const { renderStackRequest } = await import('#kinds/stacks/render.ts')
    return renderStackRequest(request)
  },
  async perform(task: ContextTask | FillTask) {
    if (task.name === 'context') {
      const { listContext } = await import('#domains/stacks/context-files.ts')
      return listContext(task)
    }
    const { fillKept, unfillKept } = await import('#sources/kept-files.ts')
    const isFilled = task.name === 'fill'
    for (const { root, from, to } of task.fills) {
      if (isFilled) fillKept(root, from, to)
      else unfillKept(root, to)
    }
    return undefined
  },
}
