import type { Page } from "@/lib/core/schema";
import type { CreateSkillInput } from "@/lib/skills/schema";
import type { CreateVersionInput, Version, VersionFile, VersionSummary } from "@/lib/skills/versions/schema";
import { answerOf, api, apiResponse, listOf, sendPost, withQuery } from "./api";

import { skillPath } from "./skills";
import { filePath, versionPath } from "./versions";

/** `text` is null for binaries and for texts that were not fetched. It includes a byte order mark. */
export type BaseFile = VersionFile & { text: string | null };
export type BaseVersion = Pick<Version, "digest" | "number" | "state" | "createdAt" | "createdBy"> & {
  files: BaseFile[];
};

export type NewFiles = Extract<CreateSkillInput, { files: unknown }>["files"];

/** Larger texts can be replaced but not edited. In bytes. */
export const MAX_EDITED_BYTES = 1024 * 1024;
const MAX_FETCHED_AT_ONCE = 40;
const MANIFEST = /^(skill\.(md|json|toml)|optimized\.toml|_meta\.json|agents\/openai\.yaml)$/i;

type VersionPage = Page<VersionSummary>;

/** The newest version of a skill, the base of every edit. */
export async function newestVersion(skillId: string, signal?: AbortSignal): Promise<VersionSummary | null> {
  const path = withQuery(`${skillPath(skillId)}/versions`, { limit: 1 });
  const { items } = await api(path, { shape: listOf<VersionPage>(), signal });
  return items[0] ?? null;
}

/** A version with the texts of its manifests and of up to 40 other files. */
export async function loadBase(skillId: string, digest: string, signal?: AbortSignal): Promise<BaseVersion> {
  const version = await api(versionPath(skillId, digest), { shape: answerOf<Version>(), signal });
  const texts = version.files.filter((file) => file.isText && file.size <= MAX_EDITED_BYTES);
  const fetched = texts.filter((file) => MANIFEST.test(file.path));
  fetched.push(...texts.filter((file) => !MANIFEST.test(file.path)).slice(0, MAX_FETCHED_AT_ONCE - fetched.length));
  const known = new Map<string, string>();
  const queue = [...fetched];
  const fetchNext = async (): Promise<void> => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      known.set(file.path, await fetchText(skillId, digest, file.path, signal));
    }
  };
  await Promise.all([1, 2, 3, 4, 5, 6].map(fetchNext));
  const { number, state, createdAt, createdBy } = version;
  const files = version.files.map((file) => ({ ...file, text: known.get(file.path) ?? null }));
  return { digest: version.digest, number, state, createdAt, createdBy, files };
}

/** The exact text of a stored file; `Response.text()` would drop a byte order mark. */
export async function fetchText(skillId: string, digest: string, path: string, signal?: AbortSignal): Promise<string> {
  const response = await apiResponse(filePath(skillId, digest, path), { signal });
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await response.arrayBuffer());
}

/** Saves an edit as a draft version; `conflict` when `baseDigest` is no longer the newest version. */
export const saveVersion = (skillId: string, input: CreateVersionInput) =>
  sendPost(`${skillPath(skillId)}/versions`, answerOf<Version>(), input);
