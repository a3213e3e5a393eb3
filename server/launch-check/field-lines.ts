/** The lines of the fields of `site.config.ts`, by the name of the field. The build replaces this module. */
export const fieldLines: Record<string, number> = {};
