"use client";

import type { QueryKey } from "@tanstack/react-query";
import { useState } from "react";
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
  /** Initial values. Field names equal the API's, so that server errors match them. */
  values: Values;
  /** Builds the request body; defaults to the values. */
  body?: (values: Values) => Body;
  /** Loads the schema of the body, once; errors appear at the fields and nothing is sent. */
  schema?: LoadSchema;
  send: (body: Body, values: Values) => Promise<Answer>;
  refresh?: readonly QueryKey[];
  onDone?: (answer: Answer) => unknown;
  done?: string | ((answer: Answer) => string);
};

type ApiForm<Values extends FieldValues, Answer = unknown> = UseFormReturn<Values> & {
  submit: () => void;
  pending: boolean;
  /** The error, unless the fields show it. */
  failure: string | null;
  error: Error | null;
  answer: Answer | undefined;
};

/** A form that is sent to the API. Errors of the schema or server stay at their fields until the next submit. */
export function useApiForm<Values extends FieldValues, Answer, Body = Values>({
  values,
  body = (given) => given as unknown as Body,
  schema,
  send,
  ...outcome
}: ApiFormOptions<Values, Body, Answer>): ApiForm<Values, Answer> {
  const resolver = useSchema(schema, body);
  const form = useForm<Values>({
    defaultValues: values as DefaultValues<Values>,
    reValidateMode: "onSubmit",
    ...(resolver ? { resolver } : {}),
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
  // Errors of body parts without a field must not block the form silently.
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

type LoadSchema = () => Promise<ZodType>;

/** Loads the schema when the form opens. When that fails, the values are sent as they are: the server checks them too. */
function useSchema<Values extends FieldValues, Body>(
  load: LoadSchema | undefined,
  body: (values: Values) => Body,
): Resolver<Values> | undefined {
  const [loading] = useState(() => (load ? loadResolver(load) : null));
  if (loading === null) return undefined;
  return async (values, context, options) => {
    const make = await loading;
    return make === null ? { values, errors: {} } : make(body)(values, context, options);
  };
}

async function loadResolver(load: LoadSchema) {
  try {
    const [{ resolverOf }, schema] = await Promise.all([import("./schema-resolver"), load()]);
    return <Values extends FieldValues, Body>(body: (values: Values) => Body) => resolverOf(schema, body);
  } catch {
    return null;
  }
}

/** The error at `allow.0` belongs to the field `allow` when that is a single field. */
function fieldOf<Values extends FieldValues>(values: Values, path: string): FieldPath<Values> {
  const [first = ""] = path.split(".");
  return (isGroup(values[first]) ? path : first) as FieldPath<Values>;
}

function isGroup(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The message of an error in plain words, else the first nested one. */
export function messageOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("message" in error && typeof error.message === "string") return error.message;
  for (const inner of Object.values(error)) {
    const message = messageOf(inner);
    if (message !== undefined) return message;
  }
  return undefined;
}
