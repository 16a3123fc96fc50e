/** The verbs that speak to a cluster, in one part of a release. */
export { kubeCheck } from '../commands/kube/check.ts'
export { kubeInstall } from '../commands/kube/install.ts'
export { diffKustomization } from './diff-command.ts'
export { orOnObject } from './on-object.ts'
export { tellClusterObjects } from './tables.ts'
