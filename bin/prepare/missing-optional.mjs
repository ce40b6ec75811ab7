/**
 * Whether `npm ci` rejected a lock file only for missing optional packages, such as those of other platforms that a
 * registry does not carry. `npm install` takes everything else from the lock.
 */
export function lacksOnlyOptionalPackages(output, lock) {
  if (!output.includes("EUSAGE") || output.includes("Invalid: ")) return false;
  const missing = [...output.matchAll(/Missing: (\S+)@\S* from lock file/g)].map(([, name]) => name);
  const optional = new Set(
    Object.values(lock.packages).flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {})),
  );
  return missing.length > 0 && missing.every((name) => optional.has(name));
}
