import { getSystem } from "@/lib/http/get-system";
import { route } from "@/lib/http/route";
import { System } from "@/lib/http/schema";

export const GET = route({
  access: "admin",
  summary: "State of the instance, its database, disk, checks and configuration",
  answer: System,
  handle: ({ ctx }) => getSystem(ctx),
});
