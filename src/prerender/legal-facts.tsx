/** What the imprint and the privacy page share. */

import { DataList, Link } from '@chakra-ui/react';
import { createElement, Fragment, type ReactNode } from 'react';
import { mailto } from '../../server/contract/mailto.ts';
import { site } from '../../site.config.ts';
import { legal } from '../../site.defaults.ts';

type Fact = readonly [label: string, value: ReactNode];

/** Labelled facts in rows: the label above its value on phones, in a column on wider screens. */
export const Facts = ({
  facts,
  labelWidth = '4.5rem',
}: {
  facts: readonly Fact[];
  labelWidth?: string;
}) => (
  <DataList.Root>
    {facts.map(([label, value]) => (
      <DataList.Item
        key={label}
        display="grid"
        gridTemplateColumns={{ sm: `${labelWidth} 1fr` }}
        columnGap="6"
        mb="3"
      >
        <DataList.ItemLabel fontWeight="700" color="fg">
          {label}
        </DataList.ItemLabel>
        <DataList.ItemValue>{value}</DataList.ItemValue>
      </DataList.Item>
    ))}
  </DataList.Root>
);

/** The owner's name and postal address, line by line. */
export const NameAndAddress = () =>
  [legal.name, ...legal.address].map((line) => (
    <Fragment key={line}>
      {line}
      <br />
    </Fragment>
  ));

export const EmailLink = () => (
  <Link href={mailto(site.brand.email)} variant="underline">
    {site.brand.email}
  </Link>
);

/** A text with elements in the place of their names, such as `{email}`. */
export const filledWith = (text: string, elements: Readonly<Record<string, ReactNode>>) =>
  createElement(
    Fragment,
    null,
    ...text.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? elements[part] : part)),
  );
