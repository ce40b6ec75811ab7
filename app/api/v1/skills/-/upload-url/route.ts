import { ClawUploadUrl } from "@/lib/doors/clawhub/answers";
import { openUpload } from "@/lib/doors/clawhub/open-upload";
import { UploadUrlInput } from "@/lib/doors/clawhub/schema";
import { plainErrors } from "@/lib/http/plain-errors";
import { route } from "@/lib/http/route";

export const POST = plainErrors(
  route({
    access: "write",
    summary: "ClawHub: where to send one file of a skill",
    body: UploadUrlInput,
    maxBodyBytes: 16 * 1024,
    answer: ClawUploadUrl,
    handle: ({ ctx, body }) => openUpload(ctx, body),
  }),
);
