import { SessionPage } from "@/lib/auth/schema";
import { listSessions } from "@/lib/auth/sessions/sessions";
import { PageQuery } from "@/lib/core/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "List your active sessions",
  query: PageQuery,
  answer: SessionPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listSessions(ctx, query),
});
