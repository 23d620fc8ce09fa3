/** The formats that a run can be exported in, in the order of the menu. */
export const EXPORT_FORMATS = ['json', 'rows', 'samples', 'markdown', 'junit', 'html'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
