import { zodResolver } from "@hookform/resolvers/zod";
import type { FieldValues, Resolver } from "react-hook-form";
import type { ZodType } from "zod";
import { fieldSentence } from "@/lib/core/field-errors";

/**
 * Checks the body that `body` builds from the values; errors are sentences that name their fields. Heavy: load it with
 * `import()`.
 */
export function resolverOf<Values extends FieldValues, Body>(
  schema: ZodType,
  body: (values: Values) => Body,
): Resolver<Values> {
  const check = zodResolver(schema as ZodType<FieldValues, FieldValues>);
  return async (values, context, options) => {
    const { errors } = await check(body(values) as FieldValues, context, options as Parameters<typeof check>[2]);
    writeSentences(errors, "");
    return Object.keys(errors).length === 0 ? { values, errors: {} } : ({ values: {}, errors } as never);
  };
}

/** Turns the messages of a tree of errors into sentences that name their fields. */
function writeSentences(errors: Record<string, unknown>, parent: string): void {
  for (const [key, error] of Object.entries(errors)) {
    if (typeof error !== "object" || error === null || key === "ref") continue;
    const path = parent === "" ? key : `${parent}.${key}`;
    if ("message" in error && typeof error.message === "string")
      error.message = fieldSentence({ path, message: error.message }, "The form");
    writeSentences(error as Record<string, unknown>, path);
  }
}
