import { ClawUpload } from "@/lib/distribution/clawhub/answers";
import { UploadQuery } from "@/lib/distribution/clawhub/schema";
import { receiveUpload } from "@/lib/distribution/clawhub/uploads";
import { plainErrors } from "@/lib/http/plain-errors";
import { route } from "@/lib/http/route";
import { MAX_FILE_BYTES } from "@/lib/skill-format/archive/limits";

export const POST = plainErrors(
  route({
    access: "write",
    summary: "ClawHub: upload a file",
    query: UploadQuery,
    rawBody: { contentType: "application/octet-stream" },
    maxBodyBytes: MAX_FILE_BYTES,
    answer: ClawUpload,
    handle: ({ ctx, query, bytes }) => receiveUpload(ctx, query.id, bytes),
  }),
);
