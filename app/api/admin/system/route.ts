import { getSystem } from "@/lib/http/get-system";
import { route } from "@/lib/http/route";
import { System } from "@/lib/http/schema";

export const GET = route({
  access: "admin",
  summary: "The state of the instance, its database and disk, its checks, and the configuration in force",
  answer: System,
  handle: ({ ctx }) => getSystem(ctx),
});
