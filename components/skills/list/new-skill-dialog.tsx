import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, useId, useRef, useState } from "react";
import { ToolWarnings } from "@/components/skills/permission-list";
import { displayName, skillHref } from "@/components/skills/skill-labels";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { useToast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/api";
import { meQuery } from "@/lib/client/me";
import { decisionKeys } from "@/lib/client/reviews";
import { createSkill, skillsKey } from "@/lib/client/skills";
import { submitVersion, versionsQuery } from "@/lib/client/versions";
import { parseAllowedTools } from "@/lib/skill-format/dialects/tools";
import type { Skill } from "@/lib/skills/schema";

type NewSkillDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function NewSkillDialog({ open, onOpenChange }: NewSkillDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open ? <Content onClose={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

function Content({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<Skill | null>(null);
  return created ? <CreatedSkill skill={created} onClose={onClose} /> : <Form onCreated={setCreated} />;
}

function Form({ onCreated }: { onCreated: (skill: Skill) => void }) {
  const formId = useId();
  const queryClient = useQueryClient();
  const [tools, setTools] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: createSkill,
    onSuccess: (skill) => {
      onCreated(skill);
      void queryClient.invalidateQueries({ queryKey: skillsKey });
    },
  });
  const problem = error instanceof ApiError ? error : null;
  const isNameTaken = problem?.code === "conflict";
  const form = useRef<HTMLFormElement>(null);
  const router = useRouter();

  const openInEditor = async () => {
    const { storeNewSkillDraft: beginNewSkill } = await import("@/components/editor/store-new-skill-draft");
    const data = new FormData(form.current ?? undefined);
    const text = (name: string) => String(data.get(name) ?? "");
    const typed = { name: text("name").trim(), description: text("description").trim(), body: text("body") };
    const { user } = await queryClient.ensureQueryData(meQuery);
    beginNewSkill(user.id, { ...typed, allowedTools: parseAllowedTools(tools) ?? [] });
    router.push("/skills/new");
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (name: string) => String(data.get(name) ?? "").trim();
    const allowedTools = tools.trim() === "" ? null : parseAllowedTools(tools);
    mutate({
      name: text("name"),
      description: text("description"),
      body: String(data.get("body") ?? ""),
      ...(allowedTools ? { allowedTools } : {}),
    });
  };

  return (
    <DialogContent
      title="New skill"
      description="A playbook with instructions for agents. Use the editor for more files, a preview and all fields."
      size="lg"
      footer={
        <>
          <Button variant="ghost" className="sm:mr-auto" onClick={() => void openInEditor()}>
            Open in editor
          </Button>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button variant="primary" type="submit" form={formId} pending={isPending}>
            Create draft
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} onSubmit={submit} className="flex flex-col gap-4">
        {error ? <CreateError error={error} /> : null}
        <Field
          label="Name"
          required
          help="Lower-case letters, digits and hyphens, such as tidy-notes."
          error={isNameTaken ? problem.detail : problem?.fieldError("name")}
        >
          <Input name="name" required maxLength={64} autoComplete="off" spellCheck={false} />
        </Field>
        <Field
          label="Description"
          required
          help="What the skill does and when agents should use it."
          error={problem?.fieldError("description")}
        >
          <Textarea name="description" required maxLength={1024} rows={2} />
        </Field>
        <Field label="Instructions" required help="Markdown." error={problem?.fieldError("body")}>
          <Textarea name="body" required rows={10} className="font-mono text-13" spellCheck />
        </Field>
        <Field
          label="Allowed tools"
          optional
          help="Tools that agents use without asking, separated by spaces, such as Read Bash(git add:*)."
          error={problem?.fieldError("allowedTools")}
        >
          <Input
            value={tools}
            onChange={(event) => setTools(event.target.value)}
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <ToolWarnings tools={parseAllowedTools(tools) ?? []} />
      </form>
    </DialogContent>
  );
}

function CreateError({ error }: { error: unknown }) {
  const others = error instanceof ApiError ? error.errors.filter((item) => !fields.has(item.path)) : [];
  return (
    <Notice tone="danger" announce title="The skill was not created.">
      {others.length === 0 ? <p>{errorText(error)}</p> : null}
      {others.map((item) => (
        <p key={`${item.path}${item.message}`}>
          {item.path ? <code>{item.path}</code> : null} {item.message}
        </p>
      ))}
    </Notice>
  );
}

const fields = new Set(["name", "description", "body", "allowedTools"]);

function CreatedSkill({ skill, onClose }: { skill: Skill; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { pages } = await queryClient.fetchInfiniteQuery(versionsQuery(skill.id));
      const draft = pages[0]?.items[0];
      if (!draft) throw new Error("a new skill has no version");
      return submitVersion(skill.id, draft.digest);
    },
    onSuccess: () => {
      for (const queryKey of decisionKeys) void queryClient.invalidateQueries({ queryKey });
      toast({ title: `${displayName(skill)} submitted for review.`, tone: "success" });
      onClose();
    },
  });
  return (
    <DialogContent
      title={`${displayName(skill)} created as a draft`}
      description="The skill cannot be used yet. Submit it for review. You can switch it on after it is approved."
      footer={
        <>
          <Button asChild>
            <Link href={skillHref(skill)} onClick={onClose}>
              Open skill
            </Link>
          </Button>
          <Button variant="primary" pending={isPending} onClick={() => mutate()}>
            Submit for review
          </Button>
        </>
      }
    >
      {error ? (
        <Notice tone="danger" announce title="The draft was not submitted.">
          {errorText(error)}
        </Notice>
      ) : (
        <p className="text-13 text-muted-foreground">You can check the skill before you submit it.</p>
      )}
    </DialogContent>
  );
}
