import type { ErrorSchema, RJSFSchema, RJSFValidationError, ValidationData, ValidatorType } from "@rjsf/utils";
import type { ApiFieldError } from "@/lib/client/api";
import { checkArgs, fits } from "./check-args";
import { toErrorSchema } from "./error-schema";

type FormData = Record<string, unknown>;

/** What rjsf asks of a validator, on a checker that interprets schemas: the page's policy forbids `eval`. */
export const validator: ValidatorType<FormData, RJSFSchema> = {
  validateFormData(formData, schema): ValidationData<FormData> {
    const errors = checkArgs(schema, formData ?? {});
    return { errors: errors.map(toRjsfError), errorSchema: toErrorSchema(errors) as ErrorSchema<FormData> };
  },
  isValid: (schema, formData, rootSchema) => fits(schema, formData, rootSchema),
  // `Result` is a validator's own kind of error, which its caller names.
  rawValidation: <Result>(schema: RJSFSchema, formData?: FormData) => ({
    errors: checkArgs(schema, formData ?? {}) as Result[],
  }),
};

function toRjsfError({ path, message }: ApiFieldError): RJSFValidationError {
  return { property: path === "" ? "." : `.${path}`, message, stack: `${path} ${message}`.trim() };
}
