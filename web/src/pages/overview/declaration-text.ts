/** What somebody filled in, as a tend.yaml that the service reads. */

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

export function declarationText(app: FirstApp): string {
  const isFolder = /^[./~]/.test(app.from) && !app.from.endsWith('.git')
  const origin = isFolder
    ? [`    directory: ${quoted(app.from)}`]
    : [`    git: ${quoted(app.from)}`, `    ref: ${quoted(app.ref === '' ? 'main' : app.ref)}`]
  const name = app.name === '' ? 'web' : app.name
  return [
    'listen: 127.0.0.1:8080',
    'sources:',
    '  main:',
    ...origin,
    'apps:',
    `  - ${app.kind}: ${quoted(name)}`,
    `    path: ${quoted(app.path === '' ? '.' : app.path)}`,
    ...(app.target === '' ? [] : [`    target: ${quoted(app.target)}`]),
    ...(app.interval === '' ? [] : [`    interval: ${quoted(app.interval)}`]),
    ...(app.drift === 'revert' ? [] : [`    drift: ${app.drift}`]),
    '',
  ].join('\n')
}

/** Plain words stay plain; whatever YAML could read otherwise is quoted. */
export function quoted(text: string): string {
  const isPlain =
    /^[A-Za-z][\w./-]*$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}
