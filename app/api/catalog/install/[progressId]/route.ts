import { z } from "zod";
import { getInstallProgress } from "@/lib/catalog/install/progress";
import { InstallProgress } from "@/lib/catalog/install/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "write",
  summary: "Progress of your install",
  params: z.object({ progressId: z.string() }),
  answer: InstallProgress,
  handle: ({ ctx, params }) => getInstallProgress(ctx, params.progressId),
});
