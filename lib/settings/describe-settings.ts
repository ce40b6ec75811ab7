import { z } from "zod";
import { SETTING_DEFAULTS, Settings, type SettingsAnswer } from "./schema";

/** Every setting with type, value, default and what it does, from the one schema. */
export function describeSettings(values: Settings): SettingsAnswer {
  return {
    values,
    settings: Object.entries(Settings.shape).map(([key, field]) => ({
      key,
      type: String(z.toJSONSchema(field).type),
      value: values[key as keyof Settings],
      default: SETTING_DEFAULTS[key as keyof Settings],
      description: field.description ?? "",
    })),
  };
}
