/**
 * The comments of `site.config.ts`, by the path of their field; that of the file by ''. The build replaces this module.
 */
export const fieldComments: Record<string, string> = {};
