import { Box, chakra, Link, Span, Text, VisuallyHidden } from '@chakra-ui/react';
import type { FreeTimesVariables } from '../../../server/contract/pages.ts';
import { drawn, stop } from '../../theme/stop.ts';
import { DownIcon } from '../../ui/icons.tsx';
import { words } from '../../ui/site-words.ts';
import { templateOf } from '../../ui/template.tsx';

const copy = words.bookingPages;

const { value, If, Unless } = templateOf<FreeTimesVariables>();

/**
 * The free times by day, from the template variables: days are stops on a line and open one at a time;
 * times are radio buttons.
 */
export const Days = () => (
  <>
    <If name="hasNearest">
      <Box mb="5">
        <Text fontWeight="600" mb="2">
          {copy.nearest}
        </Text>
        <Times>
          <If name="nearest">
            <Time />
          </If>
        </Times>
      </Box>
    </If>
    <Text textStyle="small" color="fg.muted" mb="2">
      {value('minutes')} {copy.minutes}. {copy.zone}{' '}
      <Span whiteSpace="nowrap">{value('zoneName')}</Span>{' '}
      <Link href={value('zoneLink')} variant="underline" color="fg" fontWeight="600">
        {copy.changeZone}
      </Link>
    </Text>
    <Line>
      <If name="days">
        <If name="isOpen">
          <Day isOpen />
        </If>
        <Unless name="isOpen">
          <Day />
        </Unless>
      </If>
    </Line>
    <Text display="flex" gap="5" mt="3" ps="10" textStyle="small">
      <If name="firstLink">
        <Link href={value('firstLink')} variant="underline">
          {copy.earlier}
        </Link>
      </If>
      <If name="laterLink">
        <Link href={value('laterLink')} variant="underline">
          {copy.later}
        </Link>
      </If>
    </Text>
  </>
);

const Day = ({ isOpen }: { isOpen?: boolean }) => (
  <details name="day" open={isOpen}>
    <summary>
      <span>{value('day')}</span>
      <small>{value('count')}</small>
      <DownIcon />
    </summary>
    <Times>
      <VisuallyHidden as="legend">{value('day')}</VisuallyHidden>
      <If name="slots">
        <Time />
      </If>
    </Times>
  </details>
);

const Time = () => (
  <label>
    <If name="isChosen">
      <input
        type="radio"
        name="start"
        value={value('start')}
        aria-label={value('name')}
        defaultChecked
      />
    </If>
    <Unless name="isChosen">
      <input type="radio" name="start" value={value('start')} aria-label={value('name')} />
    </Unless>
    {value('time')}
  </label>
);

/** Three in a row, two in very narrow windows; the chosen one is filled. */
const Times = chakra('fieldset', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(max(4.5rem, (100% - 1.25rem) / 3), 1fr))',
    gap: '2',
    m: '0',
    p: '0',
    border: '0',
    '& label': {
      position: 'relative',
      display: 'grid',
      placeItems: 'center',
      minH: '11',
      borderWidth: '2px',
      borderColor: 'field',
      borderRadius: 'button',
      textStyle: 'small',
      fontWeight: '600',
      fontVariantNumeric: 'tabular-nums',
      whiteSpace: 'nowrap',
      cursor: 'pointer',
    },
    '& label:hover': { bg: 'bg.tint' },
    // The whole chip is the target of the invisible radio button.
    '& input': { position: 'absolute', inset: '0', opacity: '0', cursor: 'pointer' },
    '& label:has(:checked)': {
      gridAutoFlow: 'column',
      justifyContent: 'center',
      gap: '2',
      bg: 'fg',
      color: 'bg',
      borderColor: 'fg',
      // A tick, where there is room.
      _before: {
        display: { base: 'none', sm: 'block' },
        content: '""',
        w: '6px',
        h: '11px',
        borderEnd: '2px solid',
        borderBottom: '2px solid',
        rotate: '45deg',
        mt: '-3px',
      },
    },
    '& label:has(:focus-visible)': { outline: '3px solid var(--focus)', outlineOffset: '2px' },
    '@media (forced-colors: active)': {
      '& label:has(:checked)': {
        forcedColorAdjust: 'none',
        bg: 'Highlight',
        color: 'HighlightText',
      },
    },
  },
});

/** The line of the map, with a stop for each day; that of the chosen time is a capsule. */
const Line = chakra('div', {
  base: {
    '& details': {
      position: 'relative',
      ps: '10',
      _before: {
        ...drawn,
        insetStart: '10px',
        insetBlock: '0',
        w: '4px',
        bg: 'line.blue',
      },
    },
    '& details:first-child::before': { top: '26px' },
    '& details:last-child:not([open])::before': { bottom: '26px' },
    '& summary': {
      display: 'flex',
      alignItems: 'center',
      gap: '2',
      minH: '52px',
      borderBottom: '1px solid {colors.hairline}',
      fontWeight: '600',
      cursor: 'pointer',
      listStyle: 'none',
      _before: {
        ...stop({ size: 20 }),
        insetStart: '2px',
      },
    },
    '& details:has(:checked) summary::before': { w: '28px', insetStart: '-2px', bg: 'primary' },
    '& summary::-webkit-details-marker': { display: 'none' },
    '& summary span': { textWrap: 'balance' },
    '& summary:hover span': { textDecoration: 'underline' },
    '& small': {
      ms: 'auto',
      textStyle: 'small',
      color: 'fg.muted',
      fontWeight: '400',
      whiteSpace: 'nowrap',
    },
    '& svg': { _motionSafe: { transition: 'rotate 160ms' } },
    '& [open] svg': { rotate: '180deg' },
    '& fieldset': { py: '3' },
  },
});
