import { z } from "zod";
import { PageQuery, pageOf } from "@/lib/core/schema";
import { route } from "@/lib/http/route";
import { createVersion } from "@/lib/skills/versions/create-version";
import { listVersions } from "@/lib/skills/versions/list-versions";
import { CreateVersionInput, Version, VersionSummary } from "@/lib/skills/versions/schema";

const params = z.object({ id: z.string() });

export const GET = route({
  access: "read",
  agents: "open",
  summary: "List versions of a skill, newest first",
  params,
  query: PageQuery,
  answer: pageOf(VersionSummary),
  answersFrom: "rows",
  handle: ({ ctx, params, query }) => listVersions(ctx, params.id, query),
});

export const POST = route({
  access: "write",
  summary: "Save an edit as a draft version; 409 when a newer version exists",
  params,
  body: CreateVersionInput,
  maxBodyBytes: 70 * 1024 * 1024,
  answer: Version,
  status: 201,
  handle: ({ ctx, params, body }) => createVersion(ctx, params.id, body),
});
