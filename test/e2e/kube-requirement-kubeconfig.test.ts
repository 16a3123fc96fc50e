/** R1–R22 outside of the cluster, with a kubeconfig. */
import { requirement } from './kube-requirement.ts'

requirement('by kubeconfig', {})
