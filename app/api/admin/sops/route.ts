import { PageQuery } from "@/lib/core/schema";
import { route } from "@/lib/http/route";
import { createSop, listSops } from "@/lib/runner/approvals/sops";
import { CreateSopInput, Sop, SopPage } from "@/lib/runner/schema";

export const GET = route({
  access: "admin",
  summary: "All standard operating procedures",
  query: PageQuery,
  answer: SopPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listSops(ctx, query),
});

export const POST = route({
  access: "admin",
  summary: "Register a signed standard operating procedure",
  body: CreateSopInput,
  answer: Sop,
  status: 201,
  handle: ({ ctx, body }) => createSop(ctx, body),
});
