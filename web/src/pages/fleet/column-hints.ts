/** What a column of a new row means when nothing is written into it. */

const hints: Readonly<Record<string, string>> = {
  name: 'dev',
  provider: 'k3d, kind, kwok or existing',
  http_port: 'a free one',
  https_port: 'a free one',
  pf_port: 'a free one',
  node_port: '30080',
  subnet: "the provider's own",
  route: 'true',
  portainer: 'true',
  argocd: 'true',
  git: 'true',
  image: "the provider's own",
  version: "the provider's own",
  servers: '1',
  agents: '0',
}

export function hintOf(column: string): string | undefined {
  return hints[column]
}
