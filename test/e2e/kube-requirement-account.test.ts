/** R1–R22 as the account that was installed: with its token, the authority and the address that a pod is given. */
import { requirement } from './kube-requirement.ts'

requirement('as the installed account', { isAccount: true })
