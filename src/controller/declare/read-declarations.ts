/** Reads the files that declare: each path a file, or a folder of *.yaml. */
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { KindDeclaration } from '#model/kind-declaration.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { declarationsFrom } from './declarations-from.ts'
import type { Environment } from './origin.ts'
import { troubleOf, type DeclarationFile, type DeclarationsResult } from './written.ts'

/** The same files give the same declarations: nothing else is read for them. Without files the origin's variables count. */
export function declarationsIn(
  { files, problems }: FilesRead,
  environment: Environment,
  kinds: readonly KindDeclaration[],
): DeclarationsResult {
  if (problems.length > 0) return { declarations: undefined, problems }
  return declarationsFrom({ files, environment, kinds })
}

type FilesRead = {
  readonly files: readonly DeclarationFile[]
  readonly problems: readonly ProblemFacts[]
}

export function readFiles(paths: readonly string[]): FilesRead {
  const files: DeclarationFile[] = []
  const problems: ProblemFacts[] = []
  for (const path of paths) {
    try {
      const inside = filesAt(path)
      if (inside.length === 0) problems.push(emptyFolder(path))
      for (const file of inside) files.push({ path: file, text: readFileSync(file, 'utf8') })
    } catch (error) {
      problems.push(unreadable(path, error))
    }
  }
  return { files, problems }
}

/** Hidden ones are left out: where a folder is mounted from a store of settings, they are its workings. */
function filesAt(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => /^[^.].*\.ya?ml$/.test(name))
    .toSorted()
    .map((name) => join(path, name))
}

function emptyFolder(path: string): ProblemFacts {
  const message = `there is no *.yaml in ${path}`
  return troubleOf({ message, suggestion: 'put tend.yaml there, or name another folder' })
}

function unreadable(path: string, error: unknown): ProblemFacts {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') {
    const suggestion = 'check the path; it is taken from the folder that Tend was started in'
    return troubleOf({ code: 'not_found', message: `there is no ${path}`, suggestion })
  }
  const why = code === 'EACCES' ? 'this user may not read it' : String(code ?? error)
  return troubleOf({ message: `${path} can't be read: ${why}`, suggestion: 'check owner and mode' })
}
