import { LRUCache } from "lru-cache";
import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { isText } from "@/lib/skill-format/archive/decode-text";
import { MAX_DESCRIPTION_CHARS } from "@/lib/skill-format/archive/limits";
import { PORTABLE_NAME } from "@/lib/skill-format/export/write-spec";
import { findPublisher } from "@/lib/skills/community/publishers";
import { answerEndpoint, answerIndex, type EndpointAnswer } from "./answer-endpoint";
import { getPackagedFile } from "./build-archive";
import { countInstall } from "./count-install";
import { identifyViewer, type Viewer } from "./identify-viewer";
import { listPublished } from "./list-published";
import { publicAddress, publicPath } from "./public-address";
import type { Published } from "./published";
import { type DistributionScope, parseScope, pathOfScope, type ScopeAddress } from "./scope";
import { nameVersions } from "./version-names";

const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

const Tools = z.array(z.string()).nullable();

/** Index formats, named by their folder below `.well-known`. */
export const FORMATS = ["agent-skills", "skills"] as const;
type IndexFormat = (typeof FORMATS)[number];

type WantedIndex = {
  request: Request;
  scope: string;
  format: IndexFormat;
  /** Version name, for the index of one version of the scope's skill. */
  version?: string | undefined;
};

/** Serves the index of a scope (see `parseScope`) in one of the formats. */
export async function serveIndex(ctx: Ctx, { request, scope: word, format, version }: WantedIndex): Promise<Response> {
  const address = parseScope(word);
  const viewer = await identifyViewer(ctx, version === undefined ? address : pinAddress(address, version));
  const moved = await findMoved(viewer);
  if (moved !== null) {
    const headers = { location: publicAddress(`${pathOfScope(moved)}/.well-known/${format}/index.json`) };
    return new Response(null, { status: 308, headers });
  }
  return answerIndex(request, viewer, "well-known", async () => {
    const published = await listPublished(viewer.ctx, viewer.scope);
    return keepWritten(published, `${format} ${viewer.base}`, () =>
      format === "skills" ? writeFirstIndex(published) : writeIndex(viewer, published),
    );
  });
}

function pinAddress(address: ScopeAddress, version: string): ScopeAddress {
  if ("token" in address || address.scope.kind !== "skill" || address.scope.version !== null) {
    throw new AppError("not_found", "Only the index of one skill has versions. There is no index at this address.");
  }
  return { scope: { ...address.scope, version } };
}

type Written = { body: string; etag: string };

const MAX_WRITTEN = 4;
const writtenIndexes = new WeakMap<readonly Published[], LRUCache<string, Written>>();

/** An index follows from its list, and with thousands of skills takes longer to write than all the rest. */
async function keepWritten(
  published: readonly Published[],
  key: string,
  write: () => string | Promise<string>,
): Promise<Written> {
  const kept = writtenIndexes.get(published) ?? new LRUCache<string, Written>({ max: MAX_WRITTEN });
  writtenIndexes.set(published, kept);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const body = await write();
  const written = { body, etag: sha256Hex(body) };
  kept.set(key, written);
  return written;
}

/** The scope with the publisher's current handle, when the request used a former one; else null. */
async function findMoved({ ctx, scope }: Viewer): Promise<DistributionScope | null> {
  const handle = scope.kind === "publisher" ? scope.handle : scope.kind === "skill" ? scope.publisher : null;
  const publisher = handle === null ? null : await findPublisher(ctx, handle);
  if (publisher === null || publisher.handle === handle?.toLowerCase()) return null;
  if (scope.kind === "skill") return { ...scope, publisher: publisher.handle };
  return scope.kind === "publisher" ? { ...scope, handle: publisher.handle } : null;
}

/**
 * Writes the index of Agent Skills Discovery 0.2.0. URLs are relative to the index; below a capability URL they begin
 * with it, since those clients cannot sign in. Extra fields: version, publisher, allowedTools, approvedAt, deprecated.
 */
async function writeIndex({ ctx, base }: Viewer, published: readonly Published[]): Promise<string> {
  const ids = published.map(({ skill }) => skill.id);
  const names = await nameVersions(ctx, ids);
  const skills = published.filter(isValidEntry).map((one) => {
    const { name, description, digest, skill, version, publisher } = one;
    const marker = onlySkillMd(one);
    const path = `${base}/a/${name}/${digest}`;
    const serves = skill.currentId === version.id;
    return {
      name,
      type: marker === null ? "archive" : "skill-md",
      description,
      url: publicPath(marker === null ? `${path}.zip` : `${path}/SKILL.md`),
      digest: `sha256:${marker?.sha256 ?? one.package.zipSha256}`,
      version: names.get(version.id) ?? null,
      publisher: publisher.handle,
      ...(serves ? { allowedTools: parseJsonColumn(Tools, skill.allowedTools ?? "null") } : {}),
      approvedAt: version.decidedAt?.toISOString() ?? null,
      ...(one.deprecated === null ? {} : { deprecated: one.deprecated }),
    };
  });
  return JSON.stringify({ $schema: SCHEMA, skills });
}

/** Writes the older index, whose files are served below `<name>/`. */
function writeFirstIndex(published: readonly Published[]): string {
  const skills = published
    .filter(isValidEntry)
    .map(({ name, description, files }) => ({ name, description, files: files.map(({ path }) => path) }));
  return JSON.stringify({ skills });
}

/** The SKILL.md of a skill with no other file, which needs no archive. */
function onlySkillMd({ files }: Published): Published["files"][number] | null {
  const [only] = files;
  return files.length === 1 && only?.path === "SKILL.md" ? only : null;
}

/**
 * Repeats the checks of clients, which reject a whole index for one bad entry. An earlier release may have built the
 * package.
 */
function isValidEntry({ name, description, files }: Published): boolean {
  return (
    PORTABLE_NAME.test(name) &&
    description.trim() !== "" &&
    description.length <= MAX_DESCRIPTION_CHARS &&
    files.some(({ path }) => path === "SKILL.md") &&
    files.every(({ path }) => isSafe(path))
  );
}

function isSafe(path: string): boolean {
  const parts = path.split("/");
  return (
    !path.includes("\\") && !path.includes("\0") && parts.every((part) => part !== "" && part !== "." && part !== "..")
  );
}

/** Serves a file of the older index. `path` is decoded and must name a file of the skill. */
export async function serveFile(
  ctx: Ctx,
  { request, scope, name, path }: { request: Request; scope: string; name: string; path: string },
): Promise<Response> {
  const viewer = await identifyViewer(ctx, parseScope(scope));
  return answerEndpoint(request, viewer, () => readFile(viewer, { request, name, path }));
}

type Asked = { request: Request; name: string; path: string };

async function readFile(viewer: Viewer, { request, name, path }: Asked): Promise<EndpointAnswer> {
  const [published] = await listPublished(viewer.ctx, viewer.scope, { name });
  const listed = published?.files.find((file) => file.path === path);
  if (published === undefined || listed === undefined) {
    throw new AppError("not_found", `There is no such file in an index at this address.`);
  }
  const bytes = await getPackagedFile(viewer.ctx, published, path);
  // Clients fetch files one by one, and SKILL.md always.
  if (path === "SKILL.md") await countInstall(viewer, published, "well-known", request);
  return { body: bytes, contentType: fileType(path, bytes), kind: "index", etag: listed.sha256 };
}

/** Media type that no browser executes or renders. */
function fileType(path: string, bytes: Uint8Array): string {
  if (!isText(bytes)) return "application/octet-stream";
  return /\.md$/i.test(path) ? "text/markdown; charset=utf-8" : "text/plain; charset=utf-8";
}
