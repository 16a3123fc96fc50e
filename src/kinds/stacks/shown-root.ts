/** Messages about files of a repository, with paths as whoever committed them knows them. */
import { relative } from 'node:path/posix'
import type { ProblemFacts } from '#model/problem.ts'

/** Where the files of a repository seem to lie while they are read; nobody knows it by that name. */
export const repositoryRoot = '/repository'

export function withoutRoot(problem: ProblemFacts, root: string): ProblemFacts {
  const { message, suggestion, details } = problem
  return {
    ...problem,
    message: shownText(message, root),
    ...(suggestion === undefined ? {} : { suggestion: shownText(suggestion, root) }),
    ...(details === undefined ? {} : { details: details.map((line) => shownText(line, root)) }),
  }
}

export function shownText(text: string, root: string): string {
  if (root !== repositoryRoot) return text.replaceAll(`${root}/`, '')
  return text
    .replace(/(^|[^\w/.-])\/repository\//g, '$1')
    .replace(
      /"(\/[^"]*)" is outside \/repository\b/g,
      (_, path: string) => `${JSON.stringify(relative(root, path))} is outside the repository`,
    )
    .replace(/(^|[^\w/.-])\/repository(?![\w/.-])/g, '$1the repository')
}
