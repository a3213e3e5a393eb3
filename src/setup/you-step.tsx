import { Box, Grid, Input, Text } from '@chakra-ui/react';
import { overlaps, valueAt } from '../../server/contract/document-changes.ts';
import { useEditor } from '../editor/context.ts';
import { FieldFrame } from '../editor/field-frame.tsx';
import { PhotoField } from '../editor/photo-field.tsx';
import { useSamplePaths } from '../editor/use-sample-paths.ts';

/** The fields of this step by path, with their names here. */
export const youLabels: Readonly<Record<string, string>> = {
  'brand.name': 'Your name, or that of your business',
  'hero.title': 'What you do, in one line',
  'brand.email': 'Email that you read',
  'about.photo': 'Photo',
};

/** Who the owner is. */
export function YouStep() {
  const { fields } = useEditor();
  const photo = fields.at('about.photo');
  return (
    <Grid
      templateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 11.5rem' }}
      columnGap="8"
      mt="3"
    >
      <div>
        <Line path="brand.name" autoComplete="organization" />
        <Line path="hero.title" />
        <Line
          path="brand.email"
          type="email"
          autoComplete="email"
          note="Messages and bookings are sent here."
        />
      </div>
      {photo && (
        <Box maxW={{ base: '14.5rem', md: 'full' }}>
          <PhotoField path="about.photo" field={photo} isStacked />
        </Box>
      )}
    </Grid>
  );
}

/** A text of one line. A sample stands behind the empty field, and stays live until another text is typed. */
function Line({
  path,
  note,
  ...props
}: {
  path: string;
  note?: string;
  type?: string;
  autoComplete?: string;
}) {
  const { draft, state, isLocked } = useEditor();
  const samples = useSamplePaths();
  const live = String(valueAt(state.live, path) ?? '');
  const value = String(valueAt(state.document, path) ?? '');
  const hasSample = samples.some((one) => overlaps(one, path));
  const isSample = hasSample && value === live;
  return (
    <FieldFrame path={path} note={note && <Text>{note}</Text>}>
      <Input
        {...props}
        value={isSample ? '' : value}
        placeholder={isSample ? live : undefined}
        readOnly={isLocked}
        onBlur={() => draft.endChange()}
        onChange={({ target }) =>
          draft.edit(path, hasSample && target.value === '' ? live : target.value)
        }
      />
    </FieldFrame>
  );
}
