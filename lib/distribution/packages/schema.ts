import { z } from "zod";

export const PackageFile = z.object({
  path: z.string(),
  mode: z.enum(["644", "755"]),
  size: z.number().int(),
  sha256: z.string(),
});
export type PackageFile = z.infer<typeof PackageFile>;

export const PackageFiles = z.array(PackageFile);

/** How a version travels: the same for everybody who may have it. */
export type DoorPackage = {
  form: "original" | "spec" | "none";
  name: string;
  description: string;
  files: PackageFile[];
  /** Of the ZIP that `archiveOf` makes. */
  zipSha256: string;
  zipSize: number;
  problem: string | null;
};
