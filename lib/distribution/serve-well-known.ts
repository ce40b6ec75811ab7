import { z } from "zod";
import { AppError } from "@/lib/core/errors";
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
import { type DistributionScope, parseScope, pathOfScope } from "./scope";
import { nameVersions } from "./version-names";

const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

const Tools = z.array(z.string()).nullable();

/** Which of the two formats, by the folder that each has under `.well-known`. */
export const FORMATS = ["agent-skills", "skills"] as const;
export type IndexFormat = (typeof FORMATS)[number];

/** The index of a scope (a word of `parseScope`) in one of the formats, for whoever asks. */
export async function serveIndex(
  ctx: Ctx,
  { request, scope: word, format }: { request: Request; scope: string; format: IndexFormat },
): Promise<Response> {
  const viewer = await identifyViewer(ctx, parseScope(word));
  const moved = await findMoved(viewer);
  if (moved !== null) {
    const headers = { location: publicAddress(`${pathOfScope(moved)}/.well-known/${format}/index.json`) };
    return new Response(null, { status: 308, headers });
  }
  return answerIndex(request, viewer, "well-known", async () => {
    const published = await listPublished(viewer.ctx, viewer.scope);
    return { body: format === "skills" ? writeFirstIndex(published) : await writeIndex(viewer, published) };
  });
}

/** The same scope under its publisher’s handle of today, when it was asked for by an older one. */
async function findMoved({ ctx, scope }: Viewer): Promise<DistributionScope | null> {
  const handle = scope.kind === "publisher" ? scope.handle : scope.kind === "skill" ? scope.publisher : null;
  const publisher = handle === null ? null : await findPublisher(ctx, handle);
  if (publisher === null || publisher.handle === handle?.toLowerCase()) return null;
  if (scope.kind === "skill") return { ...scope, publisher: publisher.handle };
  return scope.kind === "publisher" ? { ...scope, handle: publisher.handle } : null;
}

/**
 * The index of Agent Skills Discovery 0.2.0. Addresses are paths, read by clients against the address of the index; below a
 * capability URL they begin with it, since those clients cannot sign in. Fields that the format does not know are extra:
 * version, publisher, allowedTools, approvedAt, deprecated.
 */
async function writeIndex({ ctx, base }: Viewer, published: Published[]): Promise<string> {
  const ids = published.map(({ skill }) => skill.id);
  const names = await nameVersions(ctx, ids);
  const skills = published.filter(isSound).map((one) => {
    const { name, description, digest, skill, version, publisher } = one;
    const marker = onlyMarker(one);
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

/** The older index, whose files lie beside it under `<name>/`. One entry that is not sound would cost clients all of it. */
function writeFirstIndex(published: Published[]): string {
  const skills = published
    .filter(isSound)
    .map(({ name, description, files }) => ({ name, description, files: files.map(({ path }) => path) }));
  return JSON.stringify({ skills });
}

/** SKILL.md of a skill that is nothing else: such a one travels without an archive. */
function onlyMarker({ files }: Published): Published["files"][number] | null {
  const [only] = files;
  return files.length === 1 && only?.path === "SKILL.md" ? only : null;
}

/** What is written is looked at once more as clients do: packages were made by another program at another time. */
function isSound({ name, description, files }: Published): boolean {
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

/** One file of a skill beside the older index. `path` is decoded; one that leads out of the skill names no file of it. */
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
  // Clients fetch the files one by one; the marker is always among them.
  if (path === "SKILL.md") await countInstall(viewer, published, "well-known", request);
  return { body: bytes, contentType: fileType(path, bytes), kind: "index", etag: listed.sha256 };
}

/** How a file of a skill is sent: nothing that a browser would run or draw. */
function fileType(path: string, bytes: Uint8Array): string {
  if (!isText(bytes)) return "application/octet-stream";
  return /\.md$/i.test(path) ? "text/markdown; charset=utf-8" : "text/plain; charset=utf-8";
}
