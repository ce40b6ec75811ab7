import { isPipeline, type SkillClass, type SkillManifest } from "@/lib/skill-format/schema";

/** The columns of a skill that mirror the version it shows: the approved one, or the newest while none is. */
export function metadataColumns(manifest: SkillManifest, effectiveClass: SkillClass) {
  return {
    name: manifest.name,
    toolName: manifest.toolName,
    label: manifest.label,
    description: manifest.description,
    whenToUse: manifest.whenToUse,
    class: effectiveClass,
    scope: manifest.scope,
    resultPreview: manifest.resultPreview,
    author: manifest.author,
    version: manifest.version,
    license: manifest.license,
    compatibility: manifest.compatibility,
    homepage: manifest.homepage,
    always: manifest.always,
    userInvocable: manifest.userInvocable,
    contextFork: manifest.contextFork,
    runnable: manifest.entry !== null || isPipeline(manifest),
    depends: JSON.stringify(manifest.depends),
    allowedTools: manifest.allowedTools && JSON.stringify(manifest.allowedTools),
    requires: JSON.stringify(manifest.requires),
    meta: JSON.stringify(manifest.meta),
    argsSchema: manifest.schema && JSON.stringify(manifest.schema),
  };
}
