import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { Grants } from "@/lib/policy/grants/schema";
import { isWithinGrants } from "@/lib/policy/worker-allowance";

const Manifest = z.object({ builtins: z.array(z.object({ digest: z.string(), grants: Grants.default({}) })) });

export type ReleaseBuiltins = ReadonlyMap<string, Grants>;

/** Reads the manifest of the built-ins delivered with this worker; empty without one. Throws when it is damaged. */
export function readReleaseBuiltins(builtinsDir: string): ReleaseBuiltins {
  const file = join(builtinsDir, "manifest.json");
  if (!existsSync(file)) return new Map();
  const { builtins } = Manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  return new Map(builtins.map(({ digest, grants }) => [digest, grants]));
}

/** Whether a lease is a built-in of this release with at most the release's grants; decided without trusting the server. */
export function isReleaseBuiltin(versionDigest: string, given: Grants, builtins: ReleaseBuiltins): boolean {
  const grants = builtins.get(versionDigest);
  return grants !== undefined && isWithinGrants(given, grants);
}
