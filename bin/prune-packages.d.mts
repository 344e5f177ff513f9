/** Deletes the files in a folder of packages that neither a server nor the build of the pages needs. */
export function prunePackages(folder: string): void
