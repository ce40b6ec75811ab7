import { Me } from "@/lib/auth/schema";
import { getMe } from "@/lib/http/get-me";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "The caller, what waits for them, and the state of the server",
  answer: Me,
  handle: ({ ctx }) => getMe(ctx),
});
