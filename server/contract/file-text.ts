/** The text of a file that the owner chooses, decoded the same in the browser and on the command line. */

export interface FileText {
  text: string;
  /** The encoding it was decoded as. */
  encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252';
}

/** Maximum size of a request with the text of a file, as JSON, in bytes. */
export const fileBodyLimit = 15 * 1024 * 1024;

/** Decodes UTF-8, UTF-16 with a byte order mark, or else Windows-1252, which older spreadsheets write. */
export function decodeFile(bytes: Uint8Array): FileText {
  const [first, second] = bytes;
  const utf16 =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : undefined;
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), encoding: 'UTF-16' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' };
  }
}
