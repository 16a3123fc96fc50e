/** What somebody filled in, as a tend.yaml that the service reads, or as the lines to add to one. */

export type FirstApp = {
  readonly kind: string
  readonly name: string
  /** An address of Git, or a folder. */
  readonly from: string
  readonly ref: string
  readonly path: string
  readonly target: string
  readonly interval: string
  readonly drift: string
}

/** A whole file, for who has none yet. It leaves out `listen`: where the service listens is not changed by it. */
export function declarationText(app: FirstApp): string {
  const lines = ['sources:', '  main:', ...originLines(app), 'apps:', ...appLines(app, undefined)]
  return `${lines.join('\n')}\n`
}

/** What is added under `sources:` and under `apps:` of a file that declares others already: the source has a name of its own. */
export function addedLines(app: FirstApp): { readonly sources: string; readonly apps: string } {
  const source = nameOf(app)
  return {
    sources: `${[`  ${quoted(source)}:`, ...originLines(app)].join('\n')}\n`,
    apps: `${appLines(app, source).join('\n')}\n`,
  }
}

function nameOf({ name }: FirstApp): string {
  return name === '' ? 'web' : name
}

function originLines({ from, ref }: FirstApp): readonly string[] {
  const isFolder = /^[./~]/.test(from) && !from.endsWith('.git')
  return isFolder
    ? [`    directory: ${quoted(from)}`]
    : [`    git: ${quoted(from)}`, `    ref: ${quoted(ref === '' ? 'main' : ref)}`]
}

function appLines(app: FirstApp, source: string | undefined): readonly string[] {
  return [
    `  - ${app.kind}: ${quoted(nameOf(app))}`,
    ...(source === undefined ? [] : [`    source: ${quoted(source)}`]),
    `    path: ${quoted(app.path === '' ? '.' : app.path)}`,
    ...(app.target === '' ? [] : [`    target: ${quoted(app.target)}`]),
    ...(app.interval === '' ? [] : [`    interval: ${quoted(app.interval)}`]),
    ...(app.drift === 'revert' ? [] : [`    drift: ${app.drift}`]),
  ]
}

/** What is wrong with a name that is typed; undefined: every kind takes it. */
export function nameHint(name: string): string | undefined {
  return name === '' || /^[a-z0-9][a-z0-9-]{0,62}$/.test(name)
    ? undefined
    : 'Use small letters, digits and "-", and begin with a letter or digit.'
}

export function intervalHint(interval: string): string | undefined {
  return /^(off|((\d+(\.\d+)?)(ms|s|m|h|d))+)?$/.test(interval)
    ? undefined
    : 'Write it like 30s, 5m or 1h30m, or off.'
}

/** Plain words stay plain; whatever YAML could read otherwise is quoted. */
export function quoted(text: string): string {
  const isPlain =
    /^[A-Za-z][\w./-]*$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}
