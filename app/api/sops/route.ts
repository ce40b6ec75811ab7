import { PageQuery } from "@/lib/core/schema";
import { route } from "@/lib/http/route";
import { listSops } from "@/lib/runner/approvals/sops";
import { SopPage } from "@/lib/runner/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "List standard operating procedures for runs",
  query: PageQuery,
  answer: SopPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listSops(ctx, query),
});
