import type { Ctx } from "@/lib/db/context";
import { findPublisher } from "@/lib/skills/publishers/find-publisher";
import { answerDoor } from "../answer-door";
import { listPublished } from "../list-published";
import { publicAddress } from "../public-address";
import type { Published } from "../published";
import { type DoorScope, parseDoorAddress, pathOfScope } from "../scope";
import { sighted } from "../sighted";
import { nameVersions } from "../version-names/name-versions";
import { type DoorViewer, viewerOf } from "../viewer-of";
import { writeFirstIndex, writeIndex } from "./write-index";

/** Which of the two formats, by the folder that each has under `.well-known`. */
export const FORMATS = ["agent-skills", "skills"] as const;
export type IndexFormat = (typeof FORMATS)[number];

/** The index of a scope (a word of `parseDoorAddress`) in one of the formats, for whoever asks. */
export async function serveIndex(
  ctx: Ctx,
  { request, scope: word, format }: { request: Request; scope: string; format: IndexFormat },
): Promise<Response> {
  const viewer = await viewerOf(ctx, parseDoorAddress(word));
  const moved = await findMoved(viewer);
  if (moved !== null) {
    const headers = { location: publicAddress(`${pathOfScope(moved)}/.well-known/${format}/index.json`) };
    return new Response(null, { status: 308, headers });
  }
  return answerDoor(request, viewer, async () => {
    const published = await listPublished(viewer.ctx, viewer.scope);
    await sighted(viewer.ctx, "well-known", request);
    const body = format === "skills" ? writeFirstIndex(published) : await writeSecondIndex(viewer, published);
    return { body, contentType: "application/json", kind: "index" };
  });
}

async function writeSecondIndex({ ctx, base }: DoorViewer, published: Published[]): Promise<string> {
  const ids = published.map(({ skill }) => skill.id);
  return writeIndex(published, { base, names: await nameVersions(ctx, ids) });
}

/** The same scope under its publisher’s handle of today, when it was asked for by an older one. */
async function findMoved({ ctx, scope }: DoorViewer): Promise<DoorScope | null> {
  const handle = scope.kind === "publisher" ? scope.handle : scope.kind === "skill" ? scope.publisher : null;
  const publisher = handle === null ? null : await findPublisher(ctx, handle);
  if (publisher === null || publisher.handle === handle?.toLowerCase()) return null;
  if (scope.kind === "skill") return { ...scope, publisher: publisher.handle };
  return scope.kind === "publisher" ? { ...scope, handle: publisher.handle } : null;
}
