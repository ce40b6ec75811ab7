"use client";

import { type ComponentProps, type ReactElement, useId } from "react";
import {
  type Control,
  type ControllerRenderProps,
  type FieldPath,
  type FieldValues,
  get,
  useController,
} from "react-hook-form";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, Label } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Select, type SelectOption } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { messageOf } from "./use-api-form";

type Submission = { submit: () => void; pending: boolean; failure: string | null };

type FormDialogProps = Omit<ComponentProps<typeof FormDialogContent>, "pending" | "onSubmit"> & {
  form: Submission;
  failureTitle?: string;
};

/** Dialog content with one form; errors that belong to no field appear below the fields. */
export function FormDialog({ form, failureTitle, children, ...props }: FormDialogProps) {
  return (
    <FormDialogContent {...props} pending={form.pending} onSubmit={form.submit}>
      {children}
      <FormFailure form={form} title={failureTitle} />
    </FormDialogContent>
  );
}

type FormFailureProps = { form: Pick<Submission, "failure">; title?: string | undefined };

export function FormFailure({ form: { failure }, title }: FormFailureProps) {
  if (failure === null) return null;
  return (
    <Notice tone="danger" announce {...(title ? { title } : {})}>
      {failure}
    </Notice>
  );
}

type FieldProps<Values extends FieldValues, Name extends FieldPath<Values>> = Pick<
  ComponentProps<typeof Field>,
  "label" | "help" | "required" | "optional"
> & {
  form: { control: Control<Values> };
  name: Name;
  rewordError?: (message: string) => string;
  fieldClassName?: string;
};

type FormFieldProps<Values extends FieldValues, Name extends FieldPath<Values>> = FieldProps<Values, Name> & {
  children: (field: ControllerRenderProps<Values, Name>) => ReactElement;
};

export function FormField<Values extends FieldValues, Name extends FieldPath<Values>>({
  form,
  name,
  rewordError = (message) => message,
  fieldClassName,
  children,
  ...words
}: FormFieldProps<Values, Name>) {
  const { field, formState } = useController({ control: form.control, name });
  const error = messageOf(get(formState.errors, name));
  return (
    <Field
      {...words}
      error={error === undefined ? undefined : rewordError(error)}
      {...(fieldClassName ? { className: fieldClassName } : {})}
    >
      {children(field)}
    </Field>
  );
}

type ControlProps<Values extends FieldValues, Name extends FieldPath<Values>, Own> = FieldProps<Values, Name> &
  Omit<Own, keyof FieldProps<Values, Name> | "value" | "onChange" | "onBlur" | "ref">;

function split<Values extends FieldValues, Name extends FieldPath<Values>, Own>(
  props: ControlProps<Values, Name, Own>,
): [FieldProps<Values, Name>, Omit<typeof props, keyof FieldProps<Values, Name>>] {
  const { form, name, label, help, required, optional, rewordError, fieldClassName, ...control } = props;
  const words = { label, help, required, optional, rewordError, fieldClassName };
  return [{ form, name, ...words } as FieldProps<Values, Name>, control];
}

/** A single-line input of any `type`; its value is a string. */
export function TextField<Values extends FieldValues, Name extends FieldPath<Values>>(
  props: ControlProps<Values, Name, ComponentProps<typeof Input>>,
) {
  const [field, control] = split<Values, Name, ComponentProps<typeof Input>>(props);
  return <FormField {...field}>{(value) => <Input autoComplete="off" {...control} {...value} />}</FormField>;
}

export function TextareaField<Values extends FieldValues, Name extends FieldPath<Values>>(
  props: ControlProps<Values, Name, ComponentProps<typeof Textarea>>,
) {
  const [field, control] = split<Values, Name, ComponentProps<typeof Textarea>>(props);
  return <FormField {...field}>{(value) => <Textarea {...control} {...value} />}</FormField>;
}

export function SelectField<Values extends FieldValues, Name extends FieldPath<Values>>(
  props: ControlProps<Values, Name, ComponentProps<typeof Select>> & { options: readonly SelectOption[] },
) {
  const [field, control] = split<Values, Name, ComponentProps<typeof Select>>(props);
  return <FormField {...field}>{(value) => <Select {...control} {...value} />}</FormField>;
}

type CheckboxFieldProps<Values extends FieldValues, Name extends FieldPath<Values>> = Omit<
  FieldProps<Values, Name>,
  "required" | "optional" | "fieldClassName"
>;

export function CheckboxField<Values extends FieldValues, Name extends FieldPath<Values>>({
  form,
  name,
  label,
  help,
}: CheckboxFieldProps<Values, Name>) {
  const { field } = useController({ control: form.control, name });
  const id = useId();
  return (
    <span className="flex items-start gap-2">
      <Checkbox
        id={id}
        ref={field.ref}
        checked={field.value === true}
        onBlur={field.onBlur}
        onCheckedChange={(on) => field.onChange(on === true)}
        aria-describedby={help ? `${id}-help` : undefined}
        className="mt-0.5"
      />
      <span>
        <Label htmlFor={id} {...(help ? {} : { className: "font-normal" })}>
          {label}
        </Label>
        {help ? (
          <span id={`${id}-help`} className="block text-muted-foreground text-xs">
            {help}
          </span>
        ) : null}
      </span>
    </span>
  );
}
