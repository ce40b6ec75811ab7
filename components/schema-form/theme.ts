import type { RegistryWidgetsType, TemplatesType } from "@rjsf/utils";
import { ArrayItemTemplate, ArrayTemplate } from "./array-template";
import { ChoiceTemplate, OptionalDataTemplate, UnsupportedTemplate } from "./choice-templates";
import { DateTimeWidget, DateWidget } from "./date-widget";
import { FieldTemplate } from "./field-template";
import { ObjectTemplate } from "./object-template";
import { SelectWidget } from "./select-widget";
import { SwitchWidget } from "./switch-widget";
import { TextWidget } from "./text-widget";

export const templates: Partial<Omit<TemplatesType, "ButtonTemplates">> = {
  FieldTemplate,
  ObjectFieldTemplate: ObjectTemplate,
  ArrayFieldTemplate: ArrayTemplate,
  ArrayFieldItemTemplate: ArrayItemTemplate,
  MultiSchemaFieldTemplate: ChoiceTemplate,
  OptionalDataControlsTemplate: OptionalDataTemplate,
  UnsupportedFieldTemplate: UnsupportedTemplate,
};

/**
 * Every widget a schema's `format` can ask for, so that none of rjsf's own appears. A schema comes from a stranger: the
 * format `hidden` must not hide an argument.
 */
export const widgets: RegistryWidgetsType = {
  TextWidget,
  PasswordWidget: TextWidget,
  EmailWidget: TextWidget,
  URLWidget: TextWidget,
  TextareaWidget: TextWidget,
  ColorWidget: TextWidget,
  FileWidget: TextWidget,
  TimeWidget: TextWidget,
  HiddenWidget: TextWidget,
  RatingWidget: TextWidget,
  UpDownWidget: TextWidget,
  RangeWidget: TextWidget,
  DateWidget,
  AltDateWidget: DateWidget,
  DateTimeWidget,
  AltDateTimeWidget: DateTimeWidget,
  CheckboxWidget: SwitchWidget,
  SelectWidget,
  RadioWidget: SelectWidget,
  CheckboxesWidget: SelectWidget,
};
