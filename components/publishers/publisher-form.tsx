"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { RelativeTime } from "@/components/ui/relative-time";
import { Textarea } from "@/components/ui/textarea";
import { ApiError } from "@/lib/client/api";
import { type Publisher, patchPublisher, publishersKey } from "@/lib/client/publishers";
import { skillsKey } from "@/lib/client/skills";

type PublisherFormProps = { publisher: Publisher; onDone: (publisher: Publisher) => void };

export function PublisherForm({ publisher, onDone }: PublisherFormProps) {
  const queries = useQueryClient();
  const [name, setName] = useState(publisher.name);
  const [handle, setHandle] = useState(publisher.handle);
  const [bio, setBio] = useState(publisher.bio ?? "");
  const [homepage, setHomepage] = useState(publisher.homepage ?? "");
  const save = useMutation({
    mutationFn: () =>
      patchPublisher(publisher.handle, {
        name,
        bio: bio.trim() || null,
        homepage: homepage.trim() || null,
        ...(handle === publisher.handle ? {} : { handle }),
      }),
    onSuccess: async (saved) => {
      onDone(saved);
      await queries.invalidateQueries({ queryKey: publishersKey });
      await queries.invalidateQueries({ queryKey: skillsKey });
    },
  });
  const error = save.error instanceof ApiError ? save.error : null;
  return (
    <FormDialogContent
      title="Edit profile"
      description={
        publisher.verified
          ? "A new name or handle takes the verified mark away until an admin gives it again."
          : undefined
      }
      action="Save"
      pending={save.isPending}
      onSubmit={() => save.mutate()}
    >
      <Field label="Name" required error={error?.fieldError("name")}>
        <Input value={name} maxLength={80} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field
        label="Handle"
        required
        help={
          publisher.handleFreeAt ? (
            <>
              It was changed today; you can change it again <RelativeTime value={publisher.handleFreeAt} />.
            </>
          ) : (
            "Part of the addresses others install from. Once a day; the old one leads here for 30 days."
          )
        }
        error={error?.fieldError("handle")}
      >
        <Input
          value={handle}
          maxLength={39}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-13"
          onChange={({ target }) => setHandle(target.value.toLowerCase())}
        />
      </Field>
      <Field label="About" optional error={error?.fieldError("bio")}>
        <Textarea rows={3} maxLength={500} value={bio} onChange={({ target }) => setBio(target.value)} />
      </Field>
      <Field label="Homepage" optional error={error?.fieldError("homepage")}>
        <Input
          type="url"
          value={homepage}
          maxLength={300}
          autoComplete="off"
          placeholder="https://"
          onChange={({ target }) => setHomepage(target.value)}
        />
      </Field>
      <FormError error={save.error} />
    </FormDialogContent>
  );
}
