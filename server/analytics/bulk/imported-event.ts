/** Validates an event counted by another analytics tool, as a row of the owner's import file. */
import { z } from 'zod';
import { sourcePath } from '../../attribution/source-name.ts';
import { buttonNames } from '../../contract/button-names.ts';
import { isoDate, isPlausible } from '../../text/iso-date.ts';
import { storableText } from '../../text/storable.ts';
import { activities, type ImportedEvent } from '../model.ts';

export const importedEvent = z
  .object({
    activity: z.enum(
      activities,
      'The activity must be page_view, cta_click, checkout_open or call_booked.',
    ),
    timestamp: isoDate.refine(
      isPlausible,
      'Please give the time it happened: not before 2000, and not in the future.',
    ),
    button: z.enum(buttonNames, 'There is no such button.').optional(),
    source: storableText.max(200, 'This text is too long.').optional(),
  })
  .transform(
    ({ activity, timestamp, button, source }): ImportedEvent => ({
      activity,
      at: Date.parse(timestamp),
      button: button ?? null,
      source: sourcePath(source),
    }),
  );
