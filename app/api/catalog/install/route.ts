import { install } from "@/lib/catalog/install/install";
import { InstallAnswer, InstallInput } from "@/lib/catalog/install/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "write",
  summary: "Install an entry or a pack: each skill is switched off, with a pending version",
  body: InstallInput,
  answer: InstallAnswer,
  status: 201,
  idempotent: true,
  handle: ({ ctx, body }) => install(ctx, body),
});
