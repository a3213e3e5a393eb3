import { expect, it } from 'vitest';
import { fillTemplate } from '../../server/http/pages/template.ts';
import { rendered } from '../testing/rendered.tsx';
import { templateOf } from './template.tsx';

type Variables = { title: string; isOpen: boolean; days: { day: string }[] };
const { If, Unless, textIf, value } = templateOf<Variables>();

it('template of components shows what the server fills in', () => {
  const html = rendered(
    <p title={value('title')}>
      <If name="days">{value('day')},</If>
      <If name="isOpen">open</If>
      <Unless name="isOpen">closed</Unless>
      {textIf('isOpen', '!')}
    </p>,
  );
  const days = [{ day: 'Mon' }, { day: 'Tue' }];
  const shown = (isOpen: boolean) =>
    fillTemplate(html, { title: '"A"', isOpen, days } satisfies Variables);
  expect(shown(true)).toBe('<p title="&quot;A&quot;">Mon,Tue,open!</p>');
  expect(shown(false)).toBe('<p title="&quot;A&quot;">Mon,Tue,closed</p>');
});

it('template variable that the page does not have does not compile', () => {
  // @ts-expect-error a misspelt name
  expect(value('titel')).toBe('{{titel}}');
  // @ts-expect-error a misspelt name of a list's entry
  expect(rendered(<If name="dy">a</If>)).toBe('{{#dy}}a{{/dy}}');
});
