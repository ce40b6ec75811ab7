import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { api, withQuery } from "@/lib/client/api";

const FoundSkills = z.object({
  items: z.array(
    z.object({ id: z.string(), name: z.string(), label: z.string().nullable(), description: z.string().nullable() }),
  ),
});

/** The skills that the palette offers for what is typed. */
export const paletteSkillsQuery = (text: string) =>
  queryOptions({
    queryKey: ["palette-skills", text],
    queryFn: ({ signal }) => api(withQuery("/api/skills", { q: text, limit: 8 }), { schema: FoundSkills, signal }),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });
