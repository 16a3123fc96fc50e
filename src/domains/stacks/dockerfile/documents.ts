/** Here-documents of COPY and ADD as files of the context: engines that know none are given those. */
import type { Dockerfile, Instruction } from './instruction.ts'
import type { HereDocument } from './lines.ts'
import { NotUnderstood } from './refused.ts'
import { literalOf, type Word } from './words.ts'

export type DocumentFile = { readonly path: string; readonly content: string }

/** `folder`: of the context, under a name that nothing in there has. Throws NotUnderstood where another line would copy it along. */
export function withDocuments(
  dockerfile: Dockerfile,
  folder: string,
): { readonly dockerfile: Dockerfile; readonly files: readonly DocumentFile[] } {
  const files: DocumentFile[] = []
  const isAny = dockerfile.some((one) => 'documents' in one && one.documents !== undefined)
  const whole = isAny ? dockerfile.find(takesAll) : undefined
  if (whole !== undefined) {
    const what = `a here-document of COPY or ADD in a file that copies the whole context too`
    const instead = 'put the text into a file of the repository and COPY that'
    throw new NotUnderstood(whole.line, `${what},`, instead)
  }
  const placed = dockerfile.map((one): Instruction => {
    if ((one.keyword !== 'COPY' && one.keyword !== 'ADD') || one.documents === undefined) return one
    const { documents, words, ...rest } = one
    const paths = documents.map((document) => {
      // in a folder of its own: two may have one name
      const path = `${folder}/${files.length}/${document.name}`
      files.push({ path, content: contentOf(document) })
      return path
    })
    return {
      ...rest,
      words: [...words.slice(0, -1), ...paths.map((path) => [path]), ...words.slice(-1)],
    }
  })
  return { dockerfile: placed, files }
}

function takesAll(one: Instruction): boolean {
  if (one.keyword !== 'COPY' && one.keyword !== 'ADD') return false
  if (one.flags.some(({ name }) => name === 'from')) return false
  return one.words.slice(0, -1).some(mayBeAll)
}

/** What may also mean a folder at the top whose name begins with a dot. */
function mayBeAll(source: Word): boolean {
  const [first = ''] = (literalOf(source) ?? '').replace(/^(?:\.?\/)+/, '').split('/')
  return first === '' || first === '.' || first === '..' || /^[.]?[*?[\\]/.test(first)
}

/** Without the tabs that do not count. */
export function contentOf({ content, isIndented }: HereDocument): string {
  return isIndented ? content.replaceAll(/^\t+/gm, '') : content
}
