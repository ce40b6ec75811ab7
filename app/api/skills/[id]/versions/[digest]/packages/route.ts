import { z } from "zod";
import { route } from "@/lib/http/route";
import { listPackages } from "@/lib/review/bill/bills";
import { PackageList } from "@/lib/review/bill/schema";

export const GET = route({
  access: "read",
  summary: "Packages that a version names or installs, with the advisories about them",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: PackageList,
  answersFrom: "rows",
  handle: ({ ctx, params }) => listPackages(ctx, params.id, params.digest),
});
