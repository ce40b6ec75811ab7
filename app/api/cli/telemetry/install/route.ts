import { ClawDone } from "@/lib/distribution/clawhub/answers";
import { noteInstall } from "@/lib/distribution/clawhub/record-use";
import { TelemetryInput } from "@/lib/distribution/clawhub/schema";
import { plainErrors } from "@/lib/http/plain-errors";
import { route } from "@/lib/http/route";

export const POST = plainErrors(
  route({
    access: "public",
    agents: "open",
    limits: "distribution",
    summary: "ClawHub: report an install",
    body: TelemetryInput,
    maxBodyBytes: 16 * 1024,
    answer: ClawDone,
    handle: ({ ctx, body, request }) => noteInstall(ctx, request, body),
  }),
);
