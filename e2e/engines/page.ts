/** Input by mouse and keyboard into a page of another engine, and expectations that wait for its changes. */
import { expect } from '@playwright/test';
import type { Engine } from './engine.ts';

/** Keys in the key actions of WebDriver. */
export const keys = {
  enter: '\uE007',
  shift: '\uE008',
  control: '\uE009',
  escape: '\uE00C',
  tab: '\uE004',
  left: '\uE012',
  right: '\uE014',
};

/** Input by mouse and keyboard, and expectations that wait for changes of the page. */
export function helpersOf(engine: Engine) {
  const perform = (actions: { type: string; value: string }[]) =>
    engine.perform({ type: 'key', id: 'keyboard', actions });
  /** Presses keys one after the other. */
  const press = (...values: string[]) =>
    perform(values.flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))));
  /** Presses keys together. */
  const chord = (...values: string[]) =>
    perform([
      ...values.map((value) => ({ type: 'keyDown', value })),
      ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
    ]);
  const clickAt = (x: number, y: number, times = 1) => {
    const clicks = Array.from({ length: times }, () => [
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
      { type: 'pause', duration: 100 },
    ]);
    const actions = [{ type: 'pointerMove', x, y }, ...clicks.flat()];
    return engine.perform({ type: 'pointer', id: 'mouse', actions });
  };
  const click = async (selector: string, { times = 1, name = '' } = {}) => {
    const centre = () => engine.evaluate(centreOf, selector, name);
    await expect.poll(centre, { message: `${selector} ${name}` }).not.toBeNull();
    const [x, y] = (await centre()) ?? [0, 0];
    await clickAt(x, y, times);
  };
  return {
    click,
    clickAt,
    press,
    chord,
    type: async (selector: string, text: string) => {
      await click(selector);
      await press(...text);
    },
    /** Types in place of the text of a field. */
    replace: async (selector: string, text: string) => {
      await click(selector);
      await chord(keys.control, 'a');
      await press(...text);
    },
    /**
     * Types the parts of a date (month, day, year) or of a time. A part that another digit could follow needs the arrow key
     * in every engine.
     */
    typeParts: async (selector: string, ...parts: string[]) => {
      await expect.poll(() => engine.evaluate(focus, selector), { message: selector }).toBe(true);
      for (const [index, part] of parts.entries()) {
        if (index > 0) await press(keys.right);
        await press(...part);
      }
    },
    expectText: (selector: string, text: string | RegExp) =>
      expect
        .poll(() => engine.evaluate(textOf, selector), { message: selector })
        .toEqual(
          typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text),
        ),
    expectVisible: (selector: string, isVisible: boolean) =>
      expect.poll(() => engine.evaluate(visible, selector), { message: selector }).toBe(isVisible),
    expectBelowHeader: (selector: string) =>
      expect
        .poll(() => engine.evaluate(distanceFromHeader, selector), { message: selector })
        .toBeLessThan(60),
  };
}

/**
 * Makes the first visible element that matches, and whose name begins so, reachable; returns its centre in the window, in
 * pixels, or null where there is none.
 */
const centreOf = (selector: string, name: string): [x: number, y: number] | null => {
  const nameOf = (one: Element) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim();
  const element = [...document.querySelectorAll(selector)].find(
    (one) => one.checkVisibility() && nameOf(one).startsWith(name),
  );
  if (!element) return null;
  const centre = (): [number, number] => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [Math.round(x + width / 2), Math.round(y + height / 2)];
  };
  const hit = document.elementFromPoint(...centre());
  // Browsers would also scroll for the sticky header, which covers the scroll padding.
  if (!hit || !(element.contains(hit) || hit.contains(element))) {
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
  }
  return centre();
};

/** The text of all elements that match, with single spaces. */
const textOf = (selector: string) =>
  [...document.querySelectorAll(selector)]
    .map((element) => (element.textContent ?? '').replace(/\s+/g, ' '))
    .join(' ');

/** Whether the first element that matches is visible. */
export const visible = (selector: string) =>
  document.querySelector(selector)?.checkVisibility({ visibilityProperty: true }) ?? false;

/** The distance of an element's top from the lower edge of the sticky header, in pixels. */
const distanceFromHeader = (selector: string) => {
  const top = document.querySelector(selector)?.getBoundingClientRect().top ?? Number.NaN;
  const bottom = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  return Math.abs(top - bottom);
};

/** Moves the focus to the first element that matches; returns whether it is there. */
const focus = (selector: string) => {
  document.querySelector<HTMLElement>(selector)?.focus();
  return document.activeElement?.matches(selector) ?? false;
};
