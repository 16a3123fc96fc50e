/** How the files of a fleet's snapshots are called. */

/** What the rows of a table declare. Only a snapshot of a table has it: its folder is made by Tend alone. */
export const rowsFile = 'rows.json'

/** The settings beside a table, as they were when its rows were read. */
export const settingsFile = 'fleet.yaml'

/** The clusters of a fleet that lives in a repository, as `tend fleet export` writes them. */
export const clustersFile = 'clusters.yaml'
