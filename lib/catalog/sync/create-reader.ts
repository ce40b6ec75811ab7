import { createGitReader } from "../git/create-git-reader";
import type { GitHubOptions } from "../github/create-api";
import { createGitHubReader } from "../github/create-reader";
import { createHostedReader } from "../hosts/create-hosted-reader";
import { createRegistryReader } from "../registries/create-registry-reader";
import { isRegistryKind, type SourceCredential } from "../sources/schema";
import type { ReaderPlace, SourceReader } from "./source-reader";

/** `credential` and `scratch` are those of other sources than GitHub; `token` is that of GitHub. */
export type ReaderOptions = GitHubOptions & { credential: SourceCredential | null; scratch: string | null };

/** Opens the reader of the kind of host that a source is on. */
export function createReader(place: ReaderPlace, options: ReaderOptions): SourceReader {
  if (place.kind === "github") return createGitHubReader(place, options);
  const { scratch, ...rest } = options;
  if (scratch === null) throw new Error("a source that git reads needs a folder");
  const { kind, ...where } = place;
  if (isRegistryKind(kind)) return createRegistryReader({ kind, ...where }, { ...rest, scratch });
  return kind === "git"
    ? createGitReader(where, { ...rest, scratch })
    : createHostedReader({ kind, ...where }, { ...rest, scratch });
}
