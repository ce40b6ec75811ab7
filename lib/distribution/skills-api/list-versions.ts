import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { findOffered } from "../find-version";
import { listApproved } from "../list-published";
import type { Published } from "../published";
import { comparePositions, findActive, type Position, presentVersion, takePage } from "./list-skills";
import type { SkillsApiPage, SkillsApiPageQuery, SkillsApiVersion } from "./schema";

/**
 * `GET /v1/skills/{id}/versions`: approved versions, newest first. Throws `not_found` without one that the viewer is
 * offered.
 */
export async function listVersions(
  ctx: Ctx,
  id: string,
  query: SkillsApiPageQuery,
): Promise<SkillsApiPage<SkillsApiVersion>> {
  const versions = await listApproved(ctx, { kind: "bound", to: "skill", id });
  if (versions.length === 0) throw new AppError("not_found", "There is no such skill that you are offered.");
  const sorted = versions.sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
  return takePage(sorted, query, { positionOf, present: presentVersion });
}

function positionOf({ version }: Published): Position {
  return [version.number, version.digest];
}

/**
 * `GET /v1/skills/{id}/versions/{version}`; errors as of `findSkillVersion`. `latest` is the active version here, and
 * not where files are sent: so a client has named the bytes that it then asks for.
 */
export async function getVersion(ctx: Ctx, id: string, version: string): Promise<SkillsApiVersion> {
  return presentVersion(version === "latest" ? await findActive(ctx, id) : await findSkillVersion(ctx, id, version));
}

const DIGEST = /^(?:sha256:)?([0-9a-f]{64})$/;
const NUMBER = /^[1-9]\d{0,8}$/;

/** The version with this digest or number; errors as of `findOffered`. */
export async function findSkillVersion(ctx: Ctx, id: string, text: string): Promise<Published> {
  const digest = DIGEST.exec(text)?.[1];
  if (digest === undefined && !NUMBER.test(text)) {
    throw new AppError("not_found", "There is no such version. Name it by the id or number that its list has.");
  }
  const version = digest === undefined ? { number: Number(text) } : { digest };
  return findOffered(ctx, { version, skills: { id } });
}
