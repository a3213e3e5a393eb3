import { Image } from '@chakra-ui/react';
import { useEditor } from './context.ts';
import { inWords } from './words.ts';

/** A value of the document: a photo as a small picture, anything else in a line of words. */
export function Value({
  value,
  path,
  none,
  separator = '\n',
}: {
  value: unknown;
  path: string;
  /** What stands for an empty value. */
  none: string;
  /** What stands between the entries of a list. */
  separator?: string;
}) {
  const { fields } = useEditor();
  const words = inWords(value, path, fields);
  const isPhoto = fields.at(path)?.kind === 'photo' && String(value).startsWith('/photos/');
  if (!isPhoto) return <span>{words.replaceAll('\n', separator) || none}</span>;
  return (
    <Image
      src={String(value)}
      alt={words}
      display="inline-block"
      verticalAlign="middle"
      w="16"
      border="1px solid {colors.hairline}"
    />
  );
}
