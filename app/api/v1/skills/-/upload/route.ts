import { ClawUpload } from "@/lib/distribution/clawhub/answers";
import { UploadQuery } from "@/lib/distribution/clawhub/schema";
import { receiveUpload } from "@/lib/distribution/clawhub/uploads";
import { route } from "@/lib/http/route";
import { MAX_FILE_BYTES } from "@/lib/skill-format/archive/limits";

export const POST = route({
  access: "write",
  errors: "text",
  summary: "ClawHub: upload a file",
  query: UploadQuery,
  rawBody: { contentType: "application/octet-stream" },
  maxBodyBytes: MAX_FILE_BYTES,
  answer: ClawUpload,
  handle: ({ ctx, query, bytes }) => receiveUpload(ctx, query.id, bytes),
});
