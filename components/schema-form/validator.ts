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
  rawValidation(schema, formData) {
    // The type parameter stands for a validator's own error type, which only its caller names.
    const errors: unknown[] = checkArgs(schema, formData ?? {});
    return { errors } as ReturnType<ValidatorType<FormData, RJSFSchema>["rawValidation"]>;
  },
};

function toRjsfError({ path, message }: ApiFieldError): RJSFValidationError {
  return { property: path === "" ? "." : `.${path}`, message, stack: `${path} ${message}`.trim() };
}
