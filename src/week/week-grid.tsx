/** The hours of a week, drawn: by mouse, pen and touch, by the keys, and as buttons for screen readers. */
import { Box, Button, Flex, Text, VisuallyHidden } from '@chakra-ui/react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  changed,
  type Day,
  dayInWords,
  days,
  drawn,
  type Hours,
  isSame,
  minutesInWords,
  nameOf,
  nextSpan,
  rangeOf,
  type Span,
  shortSpan,
  shownPart,
  snapped,
  spanInWords,
  spansOf,
  unreadableIn,
  withSpan,
} from './spans.ts';
import { Grid, Labels } from './week-table.tsx';

/** Where there is room for the names of the days and twelve hours: from the breakpoint `md` of the theme on. */
export const weekHasRoom = '(min-width: 48em)';

/** What is drawn with the pointer: a new span, or another place of an old one. */
interface Drag {
  pointerId: number;
  part: 'new' | 'from' | 'to' | 'both';
  /** The day and the time, in minutes, at which it began. */
  day: Day;
  at: number;
  old: Span | undefined;
  /** What it would be now; undefined while it is too short. */
  to: { day: Day; span: Span | undefined };
}

/** A day and one of its spans. */
interface Place {
  day: Day;
  span?: Span | undefined;
}

export function WeekGrid({
  value,
  onChange,
  isLocked = false,
  children,
}: {
  value: Hours;
  /** `removed`: the span that the owner has removed, in words. */
  onChange: (hours: Hours, removed?: string) => void;
  isLocked?: boolean;
  /** What stands below the grid, beside the chosen span. */
  children?: ReactNode;
}) {
  const hintId = useId();
  const grid = useRef<HTMLTableElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const [said, setSaid] = useState('');
  const [active, setActive] = useState<Place>({ day: 'monday' });
  /** Whether `active` takes the focus after the next rendering. */
  const takesFocus = useRef(false);

  const week = new Map(days.map((day) => [day, spansOf(value[day])]));
  const of = (day: Day) => week.get(day) ?? [];
  // The span may have changed since, in another tab or joined with another one.
  const chosen = of(active.day).find(
    ({ from, to }) => active.span && from <= active.span.from && active.span.to <= to,
  );
  const part = shownPart(value);
  const length = part.to - part.from;

  useLayoutEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });

  const goTo = (place: Place) => {
    takesFocus.current = true;
    setActive(place);
  };
  const put = (
    next: readonly (readonly [Day, readonly Span[]])[],
    place: Place,
    sentence: string,
    removed?: string,
  ) => {
    const hours = Object.fromEntries(next.map(([day, spans]) => [day, spans.map(rangeOf)]));
    goTo(place);
    setSaid(sentence);
    onChange({ ...value, ...hours }, removed);
  };
  const add = (day: Day, span: Span, old?: Place) => {
    const before = old && old.day !== day ? of(old.day) : [];
    const rest = before.filter((one) => !isSame(one, old?.span));
    const spans = withSpan(of(day), span, old?.day === day ? old.span : undefined);
    const whole = spans.find(({ from, to }) => from <= span.from && span.to <= to) ?? span;
    put(
      [...(old && old.day !== day ? [[old.day, rest] as const] : []), [day, spans]],
      { day, span: whole },
      nameOf(day, whole),
    );
  };
  const remove = ({ day, span }: Place) => {
    if (!span) return;
    const words = `${dayInWords(day)}, ${spanInWords(span)}`;
    const rest = of(day).filter((one) => !isSame(one, span));
    put([[day, rest]], { day }, `${words}, was removed.`, words);
  };
  const copy = (span: Span) =>
    put(
      days.map((day) => [day, withSpan(of(day), span)]),
      { day: active.day, span },
      `${spanInWords(span)} is on all days.`,
    );

  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    const isAcross = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape' && drag) setDrag(undefined);
    else if (by !== undefined && event.shiftKey) {
      if (!chosen || isLocked) return;
      add(active.day, changed(chosen, isAcross ? 'to' : 'from', by * 15), {
        ...active,
        span: chosen,
      });
    } else if (by !== undefined) goTo(isAcross ? beside(by) : dayFrom(by));
    else if ((event.key === 'Delete' || event.key === 'Backspace') && chosen && !isLocked) {
      remove({ ...active, span: chosen });
    } else return;
    event.preventDefault();
  };
  /** The place before or after the active one: the name of a day stands before its spans. */
  const beside = (by: number): Place => {
    const places = days.flatMap((day): Place[] => [
      { day },
      ...of(day).map((span) => ({ day, span })),
    ]);
    const index = places.findIndex(({ day, span }) => day === active.day && isSame(span, chosen));
    return places[index + by] ?? active;
  };
  /** The span of the day above or below that is nearest in time, or its name. */
  const dayFrom = (by: number): Place => {
    const day = days[days.indexOf(active.day) + by];
    if (!day) return active;
    const distance = ({ from }: Span) => Math.abs(from - (chosen?.from ?? 0));
    const [span] = chosen ? [...of(day)].sort((a, b) => distance(a) - distance(b)) : [];
    return { day, span };
  };

  /** The time beneath the pointer, in minutes. */
  const timeAt = (clientX: number): number => {
    const track = grid.current?.querySelector('[data-track]')?.getBoundingClientRect();
    return track ? part.from + ((clientX - track.left) / track.width) * length : part.from;
  };
  /** The day beneath the pointer. */
  const dayAt = (clientY: number): Day | undefined =>
    days[
      [...(grid.current?.querySelectorAll('[data-track]') ?? [])].findIndex((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return clientY >= top && clientY < bottom;
      })
    ];
  const begin = (event: PointerEvent, { day, span: old }: Place) => {
    if (isLocked || event.button !== 0 || !event.isPrimary) return;
    event.stopPropagation();
    goTo({ day, span: old });
    const edge = (event.target as HTMLElement).dataset.edge as 'from' | 'to' | undefined;
    grid.current?.setPointerCapture(event.pointerId);
    setDrag({
      ...{ pointerId: event.pointerId, day, old, at: timeAt(event.clientX) },
      ...{ part: old ? (edge ?? 'both') : 'new', to: { day, span: old } },
    });
  };
  const move = (event: PointerEvent) => {
    if (drag?.pointerId !== event.pointerId) return;
    const at = Math.max(part.from, Math.min(part.to, timeAt(event.clientX)));
    const span =
      drag.part === 'new' || !drag.old
        ? drawn(drag.at, at)
        : changed(drag.old, drag.part, snapped(at - drag.at));
    const day = (drag.part === 'both' && dayAt(event.clientY)) || drag.day;
    setDrag({ ...drag, to: { day, span } });
  };
  const end = (event: PointerEvent) => {
    if (drag?.pointerId !== event.pointerId) return;
    setDrag(undefined);
    const { day, span } = drag.to;
    if (!span || (day === drag.day && isSame(span, drag.old))) return;
    add(day, span, drag.old && { day: drag.day, span: drag.old });
  };

  const placed = ({ from, to }: Span) => ({
    insetInlineStart: `${((from - part.from) / length) * 100}%`,
    width: `${((to - from) / length) * 100}%`,
  });
  const isActive = (day: Day, span?: Span) => active.day === day && isSame(span, chosen);
  return (
    <Box>
      <Labels aria-hidden>
        {[...Array(length / 60 + 1).keys()]
          .filter((hour) => hour % 2 === 0)
          .map((hour) => (
            <li key={hour} style={{ insetInlineStart: `${((hour * 60) / length) * 100}%` }}>
              {hourLabel(part.from + hour * 60, part)}
            </li>
          ))}
      </Labels>
      <VisuallyHidden id={hintId}>
        Arrows choose. Enter on a day adds hours. Shift with left and right changes the end, with up
        and down the start. Delete removes.
      </VisuallyHidden>
      <Grid
        ref={grid}
        role="grid"
        aria-label="Hours of the week"
        aria-describedby={hintId}
        aria-readonly={isLocked || undefined}
        data-dragged={drag?.part}
        onKeyDown={onKeyDown}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={() => setDrag(undefined)}
        style={{ '--hours': length / 60 } as CSSProperties}
      >
        <tbody>
          {days.map((day) => (
            <tr key={day}>
              <th scope="row">
                <button
                  type="button"
                  aria-label={isLocked ? dayInWords(day) : `Add hours on ${dayInWords(day)}`}
                  tabIndex={isActive(day) ? 0 : -1}
                  onFocus={() => setActive({ day })}
                  onClick={() => isLocked || add(day, nextSpan(of(day)))}
                >
                  {dayInWords(day)}
                </button>
              </th>
              <td
                data-track=""
                // The grid moves the focus: Escape must reach it.
                onMouseDown={(event) => event.preventDefault()}
                onPointerDown={(event) => begin(event, { day })}
              >
                {of(day).map((span, index) => (
                  <button
                    // It keeps the focus while its times change.
                    // biome-ignore lint/suspicious/noArrayIndexKey: the spans have no other identity
                    key={index}
                    type="button"
                    aria-label={nameOf(day, span)}
                    aria-current={isActive(day, span) || undefined}
                    tabIndex={isActive(day, span) ? 0 : -1}
                    data-old={(drag?.day === day && isSame(drag.old, span)) || undefined}
                    style={placed(span)}
                    onFocus={() => setActive({ day, span })}
                    onPointerDown={(event) => begin(event, { day, span })}
                  >
                    <i data-edge="from" />
                    <span data-times={shortSpan(span)} />
                    <i data-edge="to" />
                  </button>
                ))}
                {unreadableIn(value[day]).length > 0 && (
                  <Text data-unreadable="">
                    {`${unreadableIn(value[day]).join(', ')} cannot be drawn`}
                  </Text>
                )}
                {drag?.to.day === day && drag.to.span && (
                  <div data-new="" style={placed(drag.to.span)} aria-hidden>
                    <span data-times={shortSpan(drag.to.span)} />
                  </div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Grid>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <Flex wrap="wrap" align="center" justify="space-between" columnGap="6" minH="11" mt="1">
        <div>{children}</div>
        {chosen && !isLocked && (
          <Flex wrap="wrap" align="center" columnGap="6">
            <Text color="fg.muted">{`Chosen: ${dayInWords(active.day)}, ${spanInWords(chosen)}`}</Text>
            <Button type="button" variant="plain" minH="11" onClick={() => copy(chosen)}>
              Copy to all days
            </Button>
            <Button
              type="button"
              variant="plain"
              minH="11"
              onClick={() => remove({ ...active, span: chosen })}
            >
              Remove
            </Button>
          </Flex>
        )}
      </Flex>
    </Box>
  );
}

/** `8 AM` at the ends and `12 PM` at noon, else the hour alone. */
function hourLabel(minutes: number, { from, to }: Span): string {
  const words = minutesInWords(minutes).replace(':00', '');
  const isNamed = minutes === from || minutes === to || minutes % 720 === 0;
  return isNamed ? words : words.replace(/ [AP]M/, '');
}
