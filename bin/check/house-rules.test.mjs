import { expect, it } from "vitest";
import { findHouseProblems } from "./house-rules.mjs";

it.each([
  ["lib/skills/utils.ts", "", "name says nothing"],
  ["lib/helpers/slug.ts", "", "name says nothing"],
  ["components/common/x.tsx", "", "name says nothing"],
  ["bin/misc.test.mjs", "", "name says nothing"],
  ["lib/skills/index.ts", "", "is a barrel"],
  ["lib/skills/all.ts", 'export { a } from "./a";', "re-exports another file"],
  ["lib/skills/all.ts", 'export * from "./a";', "re-exports another file"],
  ["app/api/skills/route.ts", 'import { prisma } from "@/lib/db/client";', "imports @/lib/db/client"],
  ["app/api/skills/route.ts", "import { PrismaClient } from '@prisma/client'", "imports @prisma/client"],
  ["app/api/skills/route.ts", 'const db = await import("../../../lib/db/client")', "imports ../../../lib/db/client"],
  ["app/api/skills/route.ts", "export const GET = () => new Response();", "has no policy"],
  ["app/api/skills/route.ts", 'export async function GET() {}\nroute({ access: "read" })', "has no policy"],
  ["lib/audit/forward/new-sink.ts", "const answer = await fetch(url);", "calls fetch"],
  ["lib/audit/forward/new-sink.ts", "return globalThis.fetch(url)", "calls fetch"],
  ["lib/jobs/ping.ts", 'import { connect, isIP } from "node:net";', "imports connect, isIP from node:net"],
  ["lib/jobs/ping.ts", 'import https from "node:https";', "imports https from node:https"],
  ["app/api/ping/call.ts", 'import { lookup } from "node:dns/promises";', "imports lookup"],
  ["lib/jobs/ping.ts", 'import { Octokit } from "@octokit/rest";', "imports @octokit/rest"],
  ["app/setup/form.tsx", '"use client";\nimport { getEnv } from "@/lib/core/env";', "runs in the browser"],
])("%s: %s", (file, content, problem) => {
  expect(findHouseProblems(file, content).join()).toContain(problem);
});

it.each([
  ["lib/core/helpful-errors.ts", ""],
  [
    "app/api/skills/route.ts",
    'import { listSkills } from "@/lib/skills/list-skills";\nexport const GET = route({ access: "read" });',
  ],
  ["app/page.tsx", 'import { listSkills } from "@/lib/skills/list-skills";'],
  ["app/form.tsx", '"use client";\nimport { CreateSkill } from "@/lib/skills/schema";'],
  ["lib/core/outgoing/create-fetch.ts", 'import http from "node:http";\nfetch(url)'],
  ["lib/jobs/serve.ts", 'import { createServer, isIP, type Socket } from "node:net";'],
  ["lib/jobs/serve.ts", 'import type { IncomingMessage } from "node:http";'],
  ["lib/jobs/sync.ts", 'outgoingFetch("catalog")(url); refetch(); cache.fetch(key);'],
  ["lib/jobs/sync.test.ts", "await fetch(url);"],
  ["lib/skills/edit-skills.ts", 'import { prisma } from "@/lib/db/client";'],
])("%s is fine", (file, content) => {
  expect(findHouseProblems(file, content)).toEqual([]);
});
