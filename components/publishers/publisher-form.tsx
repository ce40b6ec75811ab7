"use client";

import { FormDialog, FormField, TextareaField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { Input } from "@/components/ui/input";
import { RelativeTime } from "@/components/ui/relative-time";
import { type Publisher, patchPublisher, publishersKey } from "@/lib/client/publishers";
import { skillsKey } from "@/lib/client/skills";
import { PatchPublisherInput } from "@/lib/skills/publishers/schema";

type PublisherFormProps = { publisher: Publisher; onDone: (publisher: Publisher) => void };

export function PublisherForm({ publisher, onDone }: PublisherFormProps) {
  const form = useApiForm({
    values: {
      name: publisher.name,
      handle: publisher.handle,
      bio: publisher.bio ?? "",
      homepage: publisher.homepage ?? "",
    },
    body: ({ name, handle, bio, homepage }) => ({
      name,
      bio: bio.trim() || null,
      homepage: homepage.trim() || null,
      ...(handle === publisher.handle ? {} : { handle }),
    }),
    schema: PatchPublisherInput,
    send: (patch) => patchPublisher(publisher.handle, patch),
    refresh: [publishersKey, skillsKey],
    onDone,
  });
  return (
    <FormDialog
      form={form}
      title="Edit profile"
      description={
        publisher.verified
          ? "A new name or handle takes the verified mark away until an admin gives it again."
          : undefined
      }
      action="Save"
    >
      <TextField form={form} name="name" label="Name" required maxLength={80} />
      <FormField
        form={form}
        name="handle"
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
      >
        {(field) => (
          <Input
            {...field}
            maxLength={39}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-13"
            onChange={({ target }) => field.onChange(target.value.toLowerCase())}
          />
        )}
      </FormField>
      <TextareaField form={form} name="bio" label="About" optional rows={3} maxLength={500} />
      <TextField
        form={form}
        name="homepage"
        label="Homepage"
        optional
        type="url"
        maxLength={300}
        placeholder="https://"
      />
    </FormDialog>
  );
}
