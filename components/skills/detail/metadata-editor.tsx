import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { type FormEvent, useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { patchSkill, skillsKey } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";
import { canManage } from "../skill-labels";
import { setSkill } from "../skill-switch";

export function MetadataEditor({ skill }: { skill: Skill }) {
  const [editing, setEditing] = useState(false);
  const me = useMe();
  return (
    <Section
      title="Category and tags"
      level={3}
      className="gap-2"
      actions={
        canManage(skill, me) && !editing ? (
          <IconButton label="Edit category and tags" size="sm" className="-my-1" onClick={() => setEditing(true)}>
            <Pencil aria-hidden />
          </IconButton>
        ) : null
      }
    >
      {editing ? <Form skill={skill} onDone={() => setEditing(false)} /> : <Shown skill={skill} />}
    </Section>
  );
}

function Shown({ skill }: { skill: Skill }) {
  return (
    <DefinitionList
      items={[
        { term: "Category", value: <RevealedText text={skill.category} /> },
        {
          term: "Tags",
          value:
            skill.tags.length === 0 ? (
              <span className="text-muted-foreground">None</span>
            ) : (
              <span className="flex flex-wrap gap-1">
                {skill.tags.map((tag) => (
                  <Badge key={tag}>
                    <RevealedText text={tag} />
                  </Badge>
                ))}
              </span>
            ),
        },
      ]}
    />
  );
}

function Form({ skill, onDone }: { skill: Skill; onDone: () => void }) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (patch: { category: string; tags: string[] }) => patchSkill(skill.id, patch),
    onSuccess: (saved) => {
      setSkill(queryClient, skill.id, () => saved);
      void queryClient.invalidateQueries({ queryKey: skillsKey });
      onDone();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const tags = String(data.get("tags"))
      .split(",")
      .map((tag) => tag.trim());
    mutate({ category: String(data.get("category")), tags: [...new Set(tags.filter(Boolean))] });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Category">
        <Input name="category" defaultValue={skill.category} required maxLength={64} autoFocus />
      </Field>
      <Field label="Tags" help="Separated by commas." error={error ? errorText(error) : undefined}>
        <Input name="tags" defaultValue={skill.tags.join(", ")} />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" size="sm" variant="primary" pending={isPending}>
          Save
        </Button>
        <Button size="sm" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
