import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * Whether node_modules has each package of package-lock.json in its exact version, by npm's record of its last install.
 * Packages that only development needs count with `development`.
 */
export function hasEveryPackage(root, { development = true } = {}) {
  const wanted = readPackages(path.join(root, "package-lock.json"));
  const present = readPackages(path.join(root, "node_modules", ".package-lock.json"));
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([folder, { version, integrity, optional, dev, devOptional }]) => {
    if (folder === "") return true;
    const found = present[folder];
    // Optional packages may be for other platforms.
    if (!found) return Boolean(optional || devOptional || (dev && !development));
    const same = found.version === version && found.integrity === integrity;
    return same && existsSync(path.join(root, folder, "package.json"));
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages ?? null;
  } catch {
    // A missing or truncated record proves nothing.
    return null;
  }
}
