/** How stacks are written in tend.yaml, and found in a tree. */
import { ignoreLines } from '#domains/containers/ignore-drift.ts'
import { composeNames } from '#domains/stacks/compose-names.ts'
import { normalizedName } from '#formats/compose/load/project-name.ts'
import type { KindDeclaration } from '#model/kind-declaration.ts'

/** What Compose takes for a project. */
const projectName = /^[a-z0-9][a-z0-9_-]*$/

export const stackDeclaration: KindDeclaration = {
  kind: 'stack',
  names: {
    pattern: projectName.source,
    description: "A stack, by its project's name",
    fault(name) {
      if (projectName.test(name)) return undefined
      return {
        message: `${JSON.stringify(name)} is not a name that Compose takes`,
        suggestion: 'use small letters, digits, "-" and "_", and begin with a letter or digit',
      }
    },
  },
  fields: ['files', 'profiles', 'ignore'],
  ignoreLines,
  namespace: null,
  hasTextValues: true,
  discovery: {
    files: composeNames,
    // docker-cd looked for the older names first
    originFiles: [...composeNames.slice(2), ...composeNames.slice(0, 2)],
    isNamedInside: false,
    nameFrom: (folder) => normalizedName(folder.replaceAll('/', '-')) || undefined,
    unnamed: (path) => ({
      message: `no name that Compose takes can be made of the folder ${JSON.stringify(path)}`,
      suggestion: 'rename it, or declare it under apps with a name',
    }),
  },
}
