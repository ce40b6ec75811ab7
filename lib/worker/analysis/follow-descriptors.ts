const MAX_DESCRIPTORS = 2_000;

/**
 * What may be behind `/proc/self/fd/N`: the paths that were opened with this number, of all processes together, and, because
 * `dup` is not traced, everything that was opened for its path only or as a folder. `onLost` hears of each path after 2,000.
 */
export function followDescriptors(onLost: () => void) {
  const byNumber = new Map<string, Set<string>>();
  const pathOnly = new Set<string>();
  const folders = new Set<string>();
  let count = 0;

  return {
    opened(number: number, path: string, args: string): void {
      if (!path.startsWith("/")) return;
      const known = byNumber.get(`${number}`) ?? new Set();
      byNumber.set(`${number}`, known);
      for (const paths of [
        known,
        ...(args.includes("O_PATH") ? [pathOnly] : []),
        ...(args.includes("O_DIRECTORY") ? [folders] : []),
      ]) {
        if (paths.has(path)) continue;
        count += 1;
        if (count > MAX_DESCRIPTORS) onLost();
        else paths.add(path);
      }
    },
    /** Where a path may lead that goes through a descriptor; null for any other path. `isKnown` if its number was ever opened. */
    behind(path: string): { isKnown: boolean; paths: string[] } | null {
      const [through, number = "", rest = ""] = THROUGH.exec(path) ?? [];
      if (through === undefined) return null;
      const known = byNumber.get(number);
      const bases = rest === "" ? [...(known ?? []), ...pathOnly] : [...(known ?? []), ...folders, ...pathOnly];
      return { isKnown: known !== undefined, paths: [...new Set(bases)].map((base) => base + rest) };
    },
  };
}

const THROUGH = /^\/(?:proc\/[^/]+(?:\/task\/\d+)?\/fd|dev\/fd)\/(\d+)(\/.*)?$/;
