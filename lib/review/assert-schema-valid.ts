import { AppError, type FieldError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/keep-parsed";
import { schemaErrorsAt } from "@/lib/skill-format/arguments/args-schema";
import { SkillManifest } from "@/lib/skill-format/schema";

type Read = { digest: string; manifest: string };

/** Each place where the schema of a version's arguments is no valid JSON Schema; empty without a schema. */
export function schemaErrors({ manifest }: Pick<Read, "manifest">): FieldError[] {
  return schemaErrorsAt("schema", keepParsed(SkillManifest, manifest).schema);
}

/** Throws `schema_invalid` with each place when it is not. Imports refuse such files; older releases stored them. */
export function assertSchemaValid({ digest, manifest }: Read): void {
  const errors = schemaErrors({ manifest });
  const [first] = errors;
  if (first === undefined) return;
  const what = `its schema is invalid. ${first.path}: ${first.message}`;
  const message = `Version ${digest.slice(0, 7)} cannot be approved: ${what} Correct the schema and import the skill again.`;
  throw new AppError("schema_invalid", message, { errors });
}
