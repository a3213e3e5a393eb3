import { Button, chakra, Flex, Input } from '@chakra-ui/react';
import {
  backgrounds,
  contrast,
  minTextContrast,
  readableShade,
} from '../../server/contract/contrast.ts';
import { valueAt } from '../../server/contract/document-changes.ts';
import { controlId, useEditor } from './context.ts';
import { FieldFrame } from './field-frame.tsx';
import { DoneIcon, WarningIcon } from './marks.tsx';

const isColour = (value: string) => /^#[0-9a-f]{6}$/i.test(value);

/** A colour for light or for dark ground, with its contrast there. */
export function ColourField({ path }: { path: string }) {
  const { draft, state, isLocked, select, fields } = useEditor();
  const value = String(valueAt(state.document, path) ?? '');
  const put = (to: string) => draft.edit(path, to.toUpperCase());
  const control = {
    disabled: isLocked,
    onFocus: () => select(path),
    onBlur: () => draft.endChange(),
  };
  return (
    <FieldFrame path={path} isGrouped>
      <Flex gap="2" wrap="wrap">
        <chakra.input
          {...control}
          type="color"
          aria-label={`${fields.at(path)?.label ?? 'Colour'}, picker`}
          value={isColour(value) ? value : '#000000'}
          onChange={({ target }) => put(target.value)}
          boxSize="12"
          p="1"
          borderWidth="2px"
          borderColor="field"
          borderRadius="button"
          bg="bg"
          cursor="pointer"
        />
        <Input
          {...control}
          id={controlId(path)}
          aria-label="As # and six digits"
          value={value}
          w="8.5em"
          spellCheck={false}
          onChange={({ target }) => draft.edit(path, target.value.trim())}
        />
        {isColour(value) && <Sample path={path} value={value} />}
      </Flex>
      {isColour(value) && <Contrast path={path} value={value} />}
    </FieldFrame>
  );
}

/** The grounds on which texts of this colour stand; undefined for one that is a ground itself. */
function groundsOf(path: string): readonly string[] | undefined {
  if (!path.startsWith('colours.lines.')) return undefined;
  return backgrounds[path.endsWith('.dark') ? 'dark' : 'light'].map(({ colour }) => colour);
}

function Sample({ path, value }: { path: string; value: string }) {
  const [ground] = groundsOf(path) ?? [];
  if (ground === undefined) return null;
  return (
    <chakra.span
      aria-hidden
      display="inline-flex"
      alignItems="center"
      px="3"
      minH="12"
      borderWidth="2px"
      borderColor="field"
      borderRadius="button"
      fontWeight="600"
      style={{ background: ground, color: value }}
    >
      {path.endsWith('.dark') ? 'In the dark' : 'On paper'}
    </chakra.span>
  );
}

function Contrast({ path, value }: { path: string; value: string }) {
  const { draft, isLocked } = useEditor();
  const grounds = groundsOf(path);
  if (!grounds) return null;
  const worst = Math.min(...grounds.map((ground) => contrast(value, ground)));
  const ratio = (Math.floor(worst * 10) / 10).toFixed(1);
  if (worst >= minTextContrast) {
    return (
      <Flex role="status" mt="1.5" gap="2" textStyle="small" fontWeight="600" color="line.green">
        <DoneIcon />
        <span>{`Readable: ${ratio}`}</span>
      </Flex>
    );
  }
  const shade = readableShade(value, grounds);
  return (
    <Flex role="status" mt="1.5" gap="2" textStyle="small" fontWeight="600" color="line.red">
      <WarningIcon />
      <div>
        <span>{`Hard to read: ${ratio}, needs ${minTextContrast}. `}</span>
        {!isLocked && shade !== undefined && (
          <Button
            type="button"
            variant="plain"
            minH="7"
            color="inherit"
            onClick={() => draft.edit(path, shade, { isWhole: true })}
          >
            {`Use ${shade}`}
          </Button>
        )}
      </div>
    </Flex>
  );
}
