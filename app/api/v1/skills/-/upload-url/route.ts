import { ClawUploadUrl } from "@/lib/distribution/clawhub/answers";
import { UploadUrlInput } from "@/lib/distribution/clawhub/schema";
import { openUpload } from "@/lib/distribution/clawhub/uploads";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "write",
  errors: "text",
  summary: "ClawHub: open an upload for a file",
  body: UploadUrlInput,
  maxBodyBytes: 16 * 1024,
  answer: ClawUploadUrl,
  handle: ({ ctx, body }) => openUpload(ctx, body),
});
