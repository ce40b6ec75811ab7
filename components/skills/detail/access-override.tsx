"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { Field } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { useToast } from "@/components/ui/toast";
import { eligibilityQuery, setEligibility } from "@/lib/client/access";
import { skillsKey } from "@/lib/client/skills";
import type { SkillAccess } from "@/lib/skills/access/schema";

const choices = [
  { value: "", label: "As its author wrote it" },
  { value: "hidden", label: "Hide it from every agent" },
  { value: "always", label: "Offer it whatever is missing" },
] as const;
type Choice = (typeof choices)[number]["value"];

/** An admin’s override of what the author says; it keeps capabilities that were set by the API. */
export function AccessOverride({ access: { override, address } }: { access: SkillAccess }) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const { data: policy } = useQuery(eligibilityQuery);
  const key = override?.key ?? address.source;
  const entry = policy?.entries[key];
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (choice: Choice) => {
      const { entries, config } = await queryClient.fetchQuery({ ...eligibilityQuery, staleTime: 0 });
      const { [key]: before, ...others } = entries;
      const kept = before?.requires ? { requires: before.requires } : {};
      const next = {
        ...kept,
        ...(choice === "hidden" ? { enabled: false } : choice === "always" ? { always: true } : {}),
      };
      return setEligibility({ config, entries: Object.keys(next).length > 0 ? { ...others, [key]: next } : others });
    },
    onError: (error) =>
      toast({ tone: "danger", title: "The override stays as it was.", description: errorText(error) }),
    onSettled: () =>
      Promise.all(
        [eligibilityQuery.queryKey, skillsKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
  const stored: Choice = entry?.enabled === false ? "hidden" : entry?.always === true ? "always" : "";
  return (
    <Section title="For agents" level={3} className="gap-2">
      <Field label="Override" help={override ? `Found by its ${override.by}.` : undefined}>
        <Select
          value={isPending ? variables : stored}
          disabled={policy === undefined || isPending}
          onChange={(event) => mutate(event.target.value as Choice)}
          options={[...choices]}
        />
      </Field>
    </Section>
  );
}
