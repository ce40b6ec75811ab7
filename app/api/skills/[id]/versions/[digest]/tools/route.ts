import { z } from "zod";
import { route } from "@/lib/http/route";
import { listDeclaredTools } from "@/lib/skills/versions/list-declared-tools";
import { DeclaredToolList } from "@/lib/skills/versions/schema";

export const GET = route({
  access: "read",
  summary: "Tools that a version declares, with their built-ins",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: DeclaredToolList,
  answersFrom: "rows",
  handle: ({ ctx, params }) => listDeclaredTools(ctx, params.id, params.digest),
});
