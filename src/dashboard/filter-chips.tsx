import { Button } from '@chakra-ui/react';
import { filterTexts } from '../admin/filter-names.ts';
import type { Filter } from '../admin/report.ts';
import { CloseIcon } from '../ui/icons.tsx';

/** A button for each part of the filter, which removes it. */
export const FilterChips = ({
  filter,
  onRemove,
}: {
  filter: Filter;
  onRemove: (change: Filter) => void;
}) =>
  (['source', 'button'] as const).flatMap((key) =>
    filterTexts({ [key]: filter[key] }).map((text) => (
      <Button
        key={key}
        type="button"
        aria-label={`${text}, remove filter`}
        data-printed=""
        minH="11"
        maxW="full"
        px="3"
        gap="2"
        whiteSpace="normal"
        overflowWrap="anywhere"
        onClick={() => onRemove({ [key]: undefined })}
      >
        <span>{text}</span>
        <CloseIcon size={14} />
      </Button>
    )),
  );
