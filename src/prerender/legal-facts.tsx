/** What the imprint and the privacy page share. */

import { DataList, Link } from '@chakra-ui/react';
import { Fragment, type ReactNode } from 'react';
import { mailto } from '../../server/contract/mailto.ts';
import { site } from '../../site.config.ts';
import { legal } from '../../site.defaults.ts';

/** Labelled facts in rows: the label above its value on phones, in a column on wider screens. */
export const Facts = ({
  facts,
  labelWidth = '4.5rem',
}: {
  facts: Record<string, ReactNode>;
  labelWidth?: string;
}) => (
  <DataList.Root>
    {Object.entries(facts).map(([label, value]) => (
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
