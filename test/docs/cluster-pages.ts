/** Pages whose blocks speak to a cluster: `cluster-blocks.test.ts` runs these, so that the others need not wait for one. */
export const pagesOnCluster: readonly string[] = ['docs/from-argocd.md', 'docs/from-flux.md']
