import { z } from "zod";

/** The index as the `skills` CLI accepts it, written independently of our code. */
const Name = z.string().regex(/^(?!-)(?!.*--)[a-z0-9-]{1,64}(?<!-)$/);
const Description = z.string().min(1).max(1024);
const SafePath = z.string().refine((path) => !path.startsWith("/") && !path.includes("..") && !path.startsWith("./"));

export const SecondIndex = z.object({
  $schema: z.literal("https://schemas.agentskills.io/discovery/0.2.0/schema.json"),
  skills: z.array(
    z.looseObject({
      name: Name,
      type: z.enum(["skill-md", "archive"]),
      description: Description,
      url: z.string().min(1),
      digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    }),
  ),
});

export const FirstIndex = z.object({
  skills: z.array(
    z.object({
      name: Name,
      description: Description,
      files: z.array(SafePath).refine((files) => files.some((path) => path.toLowerCase() === "skill.md")),
    }),
  ),
});

export const SearchResult = z.object({
  query: z.string(),
  skills: z.array(z.object({ id: z.string(), name: Name, source: z.url(), installs: z.number().int().min(0) })),
});
