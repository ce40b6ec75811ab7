import { sha256Hex } from "@/lib/core/hash";
import { readUploadedFile } from "@/lib/http/read-body";
import { route } from "@/lib/http/route";
import { previewScanned } from "@/lib/review/preview-scanned";
import { MAX_PACKED_BYTES } from "@/lib/skill-format/archive/limits";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { ImportAnswer, ImportPreview, ImportQuery } from "@/lib/skills/transfer/schema";

export const POST = route({
  access: "write",
  summary:
    "Import skills from a SKILL.md, .zip, .tar.gz or .tgz, each as a pending version; ?preview=true stores nothing",
  query: ImportQuery,
  rawBody: { contentType: "multipart/form-data" },
  // Allows for the multipart envelope of the largest archive.
  maxBodyBytes: MAX_PACKED_BYTES + 64 * 1024,
  answer: ImportAnswer,
  status: 201,
  also: { 200: { description: "A preview; stores nothing", answer: ImportPreview } },
  idempotent: true,
  // Multipart boundaries differ between requests.
  identify: async ({ bytes, request }) => {
    const upload = await readUploadedFile(request, bytes);
    return { filename: upload.filename, sha256: sha256Hex(upload.bytes) };
  },
  handle: async ({ ctx, query, bytes, request }) => {
    const upload = await readUploadedFile(request, bytes);
    if (query.preview) return Response.json(await previewScanned(ctx, { ...upload, owner: query.owner }));
    return importSkills(ctx, { ...upload, owner: query.owner });
  },
});
