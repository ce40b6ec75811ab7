import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";

/**
 * A message as its schema has it. The SDK answers what does not fit with an internal error that holds the validator's own text;
 * here it is `InvalidParams` with a sentence that names the parameter.
 */
export function readMessage<S extends z.ZodType>(schema: S, method: string, message: unknown): z.output<S> {
  const parsed = schema.safeParse(message);
  if (parsed.success) return parsed.data;
  throw new McpError(ErrorCode.InvalidParams, sentenceOf(method, message, parsed.error.issues[0]));
}

function sentenceOf(method: string, message: unknown, issue: z.core.$ZodIssue | undefined): string {
  const path = issue?.path.join(".") || "params";
  const value = issue?.path.reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
    message,
  );
  if (value === undefined) return `${method} needs ${path}.`;
  if (issue?.code === "invalid_type") return `${path} of ${method} must be of the type ${issue.expected}.`;
  if (issue?.code === "too_big") return `${path} of ${method} is longer than ${issue.maximum} characters.`;
  return `${path} of ${method} is not one of the values that the protocol knows.`;
}
