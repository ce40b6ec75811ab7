"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import type { QueryKey } from "@tanstack/react-query";
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { ZodType } from "zod";
import { errorText } from "@/components/state/describe-error";
import { ApiError } from "@/lib/client/api";
import { useAction } from "./use-action";

type ApiFormOptions<Values extends FieldValues, Body, Answer> = {
  /** What the fields hold at first. A field is named as the API names what it becomes, so that errors find it. */
  values: Values;
  /** The request's body; without it the values are sent as they are. */
  body?: (values: Values) => Body;
  /** Of the body: what does not fit is said at the fields and nothing is sent. */
  schema?: ZodType;
  send: (body: Body, values: Values) => Promise<Answer>;
  /** Queries that are asked again afterwards. */
  refresh?: readonly QueryKey[];
  onDone?: (answer: Answer) => unknown;
  /** Said in a toast when it succeeded. */
  done?: string | ((answer: Answer) => string);
};

type ApiForm<Values extends FieldValues, Answer = unknown> = UseFormReturn<Values> & {
  submit: () => void;
  pending: boolean;
  /** Why it was refused, unless the fields say so themselves. */
  failure: string | null;
  /** Of the request that failed. */
  error: Error | null;
  /** Of the request that succeeded. */
  answer: Answer | undefined;
};

/** A form that is sent to the API. Errors, of the schema or of the server, stand at their fields until the next try. */
export function useApiForm<Values extends FieldValues, Answer, Body = Values>({
  values,
  body = (given) => given as unknown as Body,
  schema,
  send,
  ...outcome
}: ApiFormOptions<Values, Body, Answer>): ApiForm<Values, Answer> {
  const form = useForm<Values>({
    defaultValues: values as DefaultValues<Values>,
    reValidateMode: "onSubmit",
    ...(schema ? { resolver: resolverOf(schema, body) } : {}),
  });
  const action = useAction((given: Values) => send(body(given), given), outcome);
  // A group of fields shows no error of its own.
  const isField = (path: string) => Object.hasOwn(values, path.split(".")[0] ?? "") && !isGroup(values[path]);

  const showErrors = (error: Error) => {
    if (!(error instanceof ApiError)) return;
    for (const { path, message } of error.errors.toReversed()) {
      if (isField(path)) form.setError(fieldOf<Values>(values, path), { type: "server", message });
    }
  };
  const failureOf = (error: Error) =>
    error instanceof ApiError && error.errors.some(({ path }) => isField(path)) ? null : errorText(error);
  // No field shows these: an error of a part of the body that is no field must not stop the form in silence.
  const stray = Object.entries(form.formState.errors).find(([path]) => !Object.hasOwn(values, path))?.[1];

  const submit = () => {
    if (action.isPending) return;
    form.clearErrors();
    action.reset();
    void form.handleSubmit((given) => action.mutate(given, { onError: showErrors }))();
  };
  return {
    ...form,
    submit,
    pending: action.isPending,
    failure: action.error ? failureOf(action.error) : stray ? (messageOf(stray) ?? null) : null,
    error: action.error,
    answer: action.data,
  };
}

/** Checks the body that the values become. */
function resolverOf<Values extends FieldValues, Body>(
  schema: ZodType,
  body: (values: Values) => Body,
): Resolver<Values> {
  const check = zodResolver(schema as ZodType<FieldValues, FieldValues>);
  return async (values, context, options) => {
    const { errors } = await check(body(values) as FieldValues, context, options as Parameters<typeof check>[2]);
    return Object.keys(errors).length === 0 ? { values, errors: {} } : ({ values: {}, errors } as never);
  };
}

/** `allow.0` is said at `allow` where that is one field, such as lines of text. */
function fieldOf<Values extends FieldValues>(values: Values, path: string): FieldPath<Values> {
  const [first = ""] = path.split(".");
  return (isGroup(values[first]) ? path : first) as FieldPath<Values>;
}

function isGroup(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The message of an error, or the first inside it. */
export function messageOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("message" in error && typeof error.message === "string") return error.message;
  for (const inner of Object.values(error)) {
    const message = messageOf(inner);
    if (message !== undefined) return message;
  }
  return undefined;
}
