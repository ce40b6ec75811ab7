import { readFileSync } from "node:fs";
import path from "node:path";

/** Sentences about installed packages that are older than security/floors.json allows. */
export function findOutdatedPackages(lock, floors) {
  return Object.entries(floors).flatMap(([name, { atLeast, because }]) => {
    const copies = Object.entries(lock.packages).filter(
      ([folder]) => folder === `node_modules/${name}` || folder.endsWith(`/node_modules/${name}`),
    );
    return copies
      .filter(([, { version }]) => compareVersions(version, atLeast) < 0)
      .map(
        ([folder, { version }]) =>
          `${folder} is ${version}, the floor is ${atLeast} (${because}). Comply: npm update ${name}, or an "overrides" entry when another package pins it.`,
      );
  });
}

export function checkVersionFloors(root) {
  const read = (file) => JSON.parse(readFileSync(path.join(root, file), "utf8"));
  return findOutdatedPackages(read("package-lock.json"), read("security/floors.json"));
}

// Pre-releases of the floor count as the floor, which is a whole release.
function compareVersions(a, b) {
  const parts = (version) => version.split(/[-+]/)[0].split(".").map(Number);
  const [left, right] = [parts(a), parts(b)];
  for (let i = 0; i < 3; i++) if (left[i] !== right[i]) return left[i] - right[i];
  return 0;
}
