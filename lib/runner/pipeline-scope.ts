/** The scope of a pipeline's own run, which no worker takes. */
export const PIPELINE_SCOPE = "pipeline";
