import type { ErrorSchema, RJSFSchema, RJSFValidationError, ValidationData, ValidatorType } from "@rjsf/utils";
import type { ApiFieldError } from "@/lib/client/api";
import { checkArgs, fits } from "./check-args";
import { toErrorSchema } from "./error-schema";

type FormData = Record<string, unknown>;

/** rjsf's validator interface on top of `checkArgs`, since the content security policy forbids `eval`. */
export const validator: ValidatorType<FormData, RJSFSchema> = {
  validateFormData(formData, schema): ValidationData<FormData> {
    const errors = checkArgs(schema, formData ?? {});
    return { errors: errors.map(toRjsfError), errorSchema: toErrorSchema(errors) as ErrorSchema<FormData> };
  },
  isValid: (schema, formData, rootSchema) => fits(schema, formData, rootSchema),
  rawValidation: <Result>(schema: RJSFSchema, formData?: FormData) => ({
    errors: checkArgs(schema, formData ?? {}) as Result[],
  }),
};

function toRjsfError({ path, message }: ApiFieldError): RJSFValidationError {
  return { property: path === "" ? "." : `.${path}`, message, stack: `${path} ${message}`.trim() };
}
