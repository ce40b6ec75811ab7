import { PageQuery } from "@/lib/core/schema";
import { route } from "@/lib/http/route";
import { createSopKey, listSopKeys } from "@/lib/runner/approvals/sop-keys";
import { CreateSopKeyInput, SopKey, SopKeyPage } from "@/lib/runner/schema";

export const GET = route({
  access: "admin",
  summary: "List the keys that verify procedures",
  query: PageQuery,
  answer: SopKeyPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listSopKeys(ctx, query),
});

export const POST = route({
  access: "admin",
  summary: "Register an RSA public key for procedures",
  body: CreateSopKeyInput,
  answer: SopKey,
  status: 201,
  handle: ({ ctx, body }) => createSopKey(ctx, body),
});
