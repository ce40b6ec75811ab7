import { Me } from "@/lib/auth/schema";
import { getMe } from "@/lib/http/get-me";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "You, your pending decisions, and the state of the server",
  answer: Me,
  answersFrom: "rows",
  handle: ({ ctx }) => getMe(ctx),
});
