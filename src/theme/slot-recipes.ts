/** The styles of Chakra's components with several parts. */
import { defineSlotRecipe } from '@chakra-ui/react';

/** The smallest phones. */
const smallest = '@media (max-width: 22.99em)';

const field = defineSlotRecipe({
  slots: ['label', 'helperText'],
  base: {
    label: { display: 'block', mb: '1', fontWeight: '600' },
    helperText: { display: 'block', mt: '2', textStyle: 'small', color: 'line.red' },
  },
});

/** An important message; a red line stands before it. */
const alert = defineSlotRecipe({
  slots: ['root'],
  base: {
    root: {
      ps: '4',
      borderInlineStart: '6px solid {colors.line.red}',
      fontWeight: '600',
    },
  },
});

/** Shown instead of an empty list. */
const emptyState = defineSlotRecipe({
  slots: ['root', 'title', 'description'],
  base: {
    root: { py: '6' },
    title: { textStyle: 'h4' },
    description: { mt: '1', color: 'fg.muted' },
  },
});

/** The size of the notes below a figure: two figures stand side by side on phones. */
export const statNote = { base: '0.8125rem', sm: '0.9375rem' };

/**
 * A figure under a rule in the colour of its line, as one of a row that chooses what a chart below shows. On
 * the smallest phones it stands to the right of its name.
 */
const stat = defineSlotRecipe({
  slots: ['root', 'label', 'valueText', 'helpText'],
  base: {
    root: {
      position: 'relative',
      display: 'grid',
      columnGap: '4',
      alignContent: 'start',
      borderTop: '4px solid var(--line, currentColor)',
      pt: '2',
      pb: '5',
      [smallest]: { gridTemplateColumns: '1fr auto' },
    },
    label: {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: '1',
      minH: '7',
      fontWeight: '600',
    },
    valueText: {
      alignSelf: 'center',
      textStyle: 'h2',
      fontSize: 'clamp(1.5rem, 1rem + 1.9vw, 2.5rem)',
      lineHeight: '1.1',
      fontVariantNumeric: 'tabular-nums',
      my: '1',
      [smallest]: { gridArea: '1 / 2 / 4 / 3' },
    },
    helpText: { textStyle: 'small', fontSize: statNote, color: 'fg.muted' },
  },
});

export const slotRecipes = { alert, emptyState, field, stat };
