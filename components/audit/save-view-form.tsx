import { CheckboxField, FormDialog, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { auditViewsQuery, saveAuditView } from "@/lib/client/audit";

/** Saves filters of the timeline under a name. */
export function SaveViewForm({ query, onDone }: { query: string; onDone: () => void }) {
  const form = useApiForm({
    values: { name: "", isDefault: false },
    send: (values) => saveAuditView({ ...values, query }),
    refresh: [auditViewsQuery.queryKey],
    onDone,
  });
  return (
    <FormDialog form={form} title="Save view" size="sm" action="Save view">
      <TextField form={form} name="name" label="Name" required maxLength={60} />
      <CheckboxField form={form} name="isDefault" label="Default view" />
    </FormDialog>
  );
}
