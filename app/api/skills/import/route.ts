import { readUploadedFile } from "@/lib/http/read-uploaded-file";
import { route } from "@/lib/http/route";
import { MAX_PACKED_BYTES } from "@/lib/skill-format/limits";
import { importSkills } from "@/lib/skills/import-skills";
import { previewImport } from "@/lib/skills/preview-import";
import { ImportAnswer, ImportQuery } from "@/lib/skills/schema";

export const POST = route({
  access: "write",
  summary:
    "Import skills from a SKILL.md, .zip, .tar.gz or .tgz, each as a pending version; ?preview=true stores nothing",
  query: ImportQuery,
  rawBody: { contentType: "multipart/form-data" },
  // Room for the multipart envelope around the largest archive.
  maxBodyBytes: MAX_PACKED_BYTES + 64 * 1024,
  answer: ImportAnswer,
  status: 201,
  idempotent: true,
  handle: async ({ ctx, query, bytes, request }) => {
    const upload = await readUploadedFile(request, bytes);
    if (query.preview) return Response.json(await previewImport(ctx, { ...upload, owner: query.owner }));
    return importSkills(ctx, { ...upload, owner: query.owner });
  },
});
