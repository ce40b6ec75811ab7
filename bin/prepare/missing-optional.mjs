/**
 * Whether `npm ci` refused a lock file only because it lacks optional packages: those of other platforms are left out
 * where the lock was made with a registry that does not carry them. `npm install` takes everything else from the lock.
 */
export function lacksOnlyOptionalPackages(output, lock) {
  if (!output.includes("EUSAGE") || output.includes("Invalid: ")) return false;
  const missing = [...output.matchAll(/Missing: (\S+)@\S* from lock file/g)].map(([, name]) => name);
  const optional = new Set(
    Object.values(lock.packages).flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {})),
  );
  return missing.length > 0 && missing.every((name) => optional.has(name));
}
