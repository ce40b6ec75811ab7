import { z } from "zod";
import { getHealth } from "@/lib/http/health";
import { route } from "@/lib/http/route";

const Health = z.object({
  status: z.literal("ok"),
  version: z.string(),
  database: z.object({ provider: z.enum(["sqlite", "postgresql"]), ok: z.boolean() }),
  workers: z.object({ online: z.number().int() }),
});

export const GET = route({
  access: "public",
  agents: "open",
  summary: "Health of the server, its database and workers",
  answer: Health,
  handle: ({ ctx }) => getHealth(ctx),
});
